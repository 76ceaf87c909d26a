/** Checks that a request comes from an admitted visitor: a genuine entry token, their own, of an admission not yet ended. */
import type { ErrorCode } from '../../http/errors.ts';
import type { LineStore } from '../../line/store/line-store.ts';
import { ENTRY_COOKIE, ENTRY_HEADER, type Entry } from '../../line/tokens/entry-pass.ts';
import { readCookie } from '../../platform/http-server/cookies.ts';
import type { Headers, VerificationKeys } from '../decision/decide.ts';
import { stillStands } from './ask-line.ts';

export interface EntryCheckOptions {
  store: Pick<LineStore, 'find'>;
  keys: Pick<VerificationKeys, 'entry' | 'caller'>;
}

export type EntryCheck =
  | { outcome: 'good'; entry: Entry }
  | {
      outcome: 'refused';
      code: Extract<ErrorCode, 'ENTRY_TOKEN_REQUIRED' | 'ENTRY_TOKEN_INVALID'>;
      redirectTo: string;
    };

/** Unlike the rules of a gate, it passes nobody while the store is unavailable. */
export async function checkEntry(
  eventId: string,
  headers: Headers,
  { store, keys }: EntryCheckOptions,
): Promise<EntryCheck> {
  const redirectTo = `/queue/${eventId}`;
  const { [ENTRY_HEADER]: header, cookie } = headers;
  const token = typeof header === 'string' ? header : readCookie(String(cookie ?? ''), ENTRY_COOKIE);
  if (token === undefined) return { outcome: 'refused', code: 'ENTRY_TOKEN_REQUIRED', redirectTo };
  const entry = keys.entry(token);
  const isCallers = entry?.eventId === eventId && entry.visitor === keys.caller(headers);
  if (entry !== undefined && isCallers && (await stillStands(entry, store))) return { outcome: 'good', entry };
  return { outcome: 'refused', code: 'ENTRY_TOKEN_INVALID', redirectTo };
}
