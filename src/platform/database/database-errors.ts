/** What the errors of PostgreSQL mean to us. */

/** The database is not there or not fit: for the operator to mend, so it is told without a stack. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

const DEADLOCK = '40P01';
const SERIALIZATION = '40001';
const UNIQUE = '23505';

/** Trying the whole transaction again can help, and nothing of it was done. */
export function isWorthRetrying(error: unknown): boolean {
  return [DEADLOCK, SERIALIZATION].includes(codeOf(error));
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === UNIQUE;
}

/**
 * Connections refused or broken, a server that starts, stops or is full, a statement or lock that took too long: the
 * caller may come again.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof UnusableDatabaseError) return true;
  if (!(error instanceof Error)) return false;
  return /^(08|53|57|55P03|40P01|40001|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT)/.test(codeOf(error)) || isPoolTrouble(error);
}

/** The driver gives these no code. */
const POOL_TROUBLE = [
  'Connection terminated',
  'Client has encountered a connection error',
  'timeout exceeded when trying to connect',
  'Query read timeout',
];

function isPoolTrouble({ message }: Error): boolean {
  return POOL_TROUBLE.some((beginning) => message.startsWith(beginning));
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
