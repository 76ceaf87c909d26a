/**
 * The claims of a staff pass: its bearer passes some events without waiting. Separate from signing and free of Node APIs,
 * so that a gate in an edge runtime can read them.
 */
import type { IdentityCookie } from '../../platform/http-server/cookies.ts';
import { EVENT_ID } from './rule-syntax.ts';

export const PASS_COOKIE: IdentityCookie = { name: 'fairline-pass' };
export const PASS_TYP = 'pass+jwt';

export interface StaffPass {
  id: string;
  events: readonly string[];
  /** Whose it is, for the audit trail. */
  name: string;
  expiresAt: number;
}

const MOST_EVENTS = 20;

/** Reads verified claims; undefined if they are not those of a pass. Times in claims are in seconds. */
export function toStaffPass(claims: Readonly<Record<string, unknown>>): StaffPass | undefined {
  const { sub, events, name, exp } = claims;
  if (typeof sub !== 'string' || typeof name !== 'string' || typeof exp !== 'number') return undefined;
  if (!Array.isArray(events) || events.length === 0 || events.length > MOST_EVENTS) return undefined;
  if (!events.every((id) => typeof id === 'string' && EVENT_ID.test(id))) return undefined;
  return { id: sub, events, name, expiresAt: exp * 1000 };
}
