/**
 * The one place that decides whether an entry token is valid: genuine, not expired, issued to the caller and, where an
 * event is given, for that event. Only the line knows whether its admission has ended: see stillStands. Uses no Node APIs.
 */
import { ENTRY_COOKIE, ENTRY_HEADER, type Entry } from '../../line/tokens/entry-pass.ts';
import { readCookie } from '../../platform/http-server/cookies.ts';
import type { Headers, VerificationKeys } from './gate-request.ts';

export interface EntryQuestion {
  /** undefined: any event. */
  eventId: string | undefined;
  keys: Pick<VerificationKeys, 'entry' | 'caller'>;
  now: number;
}

export type EntryJudgement =
  | { outcome: 'good'; entry: Entry }
  | { outcome: 'refused'; code: 'ENTRY_TOKEN_REQUIRED' | 'ENTRY_TOKEN_INVALID' };

/** The same tolerance as in createTokenVerifier. */
const TOLERANCE_MS = 5_000;

export function judgeEntry(headers: Headers, { eventId, keys, now }: EntryQuestion): EntryJudgement {
  const { [ENTRY_HEADER]: header, cookie } = headers;
  const cookies = Array.isArray(cookie) ? cookie.join('; ') : cookie;
  const token = typeof header === 'string' ? header : readCookie(cookies, ENTRY_COOKIE);
  if (token === undefined) return { outcome: 'refused', code: 'ENTRY_TOKEN_REQUIRED' };
  const entry = keys.entry(token);
  const isForEvent = eventId === undefined || entry?.eventId === eventId;
  const isGood = entry !== undefined && isForEvent && isInTime(entry, now) && entry.visitor === keys.caller(headers);
  return isGood ? { outcome: 'good', entry } : { outcome: 'refused', code: 'ENTRY_TOKEN_INVALID' };
}

export function isInTime({ expiresAt }: { expiresAt: number }, now: number): boolean {
  return now < expiresAt + TOLERANCE_MS;
}
