/** Classifies the errors of PostgreSQL. */

/** The database is unreachable or unsuitable. The operator must fix it, so the message is shown without a stack. */
export class UnusableDatabaseError extends Error {
  override readonly name: string = 'UnusableDatabaseError';
}

/** The database cannot be reached now. It may come by itself. */
export class DatabaseAwayError extends UnusableDatabaseError {
  override readonly name = 'DatabaseAwayError';
}

const DEADLOCK = '40P01';
const SERIALIZATION = '40001';
const UNIQUE = '23505';

/** The transaction was rolled back, and repeating it can succeed. */
export function isWorthRetrying(error: unknown): boolean {
  return [DEADLOCK, SERIALIZATION].includes(codeOf(error));
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === UNIQUE;
}

/** Whether an operator must act: waiting does not help against this error. */
export function isHopeless(error: unknown): boolean {
  return error instanceof UnusableDatabaseError ? !(error instanceof DatabaseAwayError) : !isDatabaseAway(error);
}

/**
 * Connections refused or broken, a server that starts, stops or is full, a statement or lock that timed out: the caller
 * may retry.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof UnusableDatabaseError) return true;
  if (!(error instanceof Error)) return false;
  return (
    /^(08|53|57|55P03|40P01|40001|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)/.test(
      codeOf(error),
    ) || isPoolError(error)
  );
}

/** The driver sets no code on these. */
const POOL_ERRORS = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
];

function isPoolError({ message }: Error): boolean {
  return POOL_ERRORS.some((start) => message.startsWith(start));
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
