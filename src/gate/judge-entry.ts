/**
 * The only judge of entry tokens: a good one is genuine, has not expired, names the caller and, where one is asked for,
 * the event. Whether its admission still stands only the line knows: see stillStands. Uses nothing of Node's.
 */
import { ENTRY_COOKIE, ENTRY_HEADER, type Entry } from '../line/tokens/entry-pass.ts';
import { readCookie } from '../platform/http-server/cookies.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What the holder of the secrets can read from a request. */
export interface EntryKeys {
  /** The content of a genuine entry token. */
  entry(token: string): Entry | undefined;
  /** The visitor's id. */
  caller(headers: Headers): string | undefined;
}

export interface EntryQuestion {
  /** undefined: any event. */
  eventId: string | undefined;
  keys: EntryKeys;
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
