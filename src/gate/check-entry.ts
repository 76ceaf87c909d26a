/** Whether the caller holds a good entry token for an event, and its admission still stands. */
import type { Visits } from '../line/store/visits.ts';
import type { Entry } from '../line/tokens/entry-pass.ts';
import { stillStands } from './ask-line.ts';
import { type EntryJudgement, type EntryKeys, type Headers, judgeEntry } from './judge-entry.ts';

export interface EntryCheckOptions {
  visits: Pick<Visits, 'find'>;
  keys: EntryKeys;
  now: () => number;
}

export type EntryCheck =
  | { outcome: 'good'; entry: Entry }
  | (Extract<EntryJudgement, { outcome: 'refused' }> & { redirectTo: string });

/** Unlike the rules of a gate, it admits nobody while the line's store is unavailable. */
export async function checkEntry(
  eventId: string,
  headers: Headers,
  { visits, keys, now }: EntryCheckOptions,
): Promise<EntryCheck> {
  const judged = judgeEntry(headers, { eventId, keys, now: now() });
  const redirectTo = `/queue/${eventId}`;
  if (judged.outcome === 'refused') return { ...judged, redirectTo };
  if (await stillStands(judged.entry, visits)) return judged;
  return { outcome: 'refused', code: 'ENTRY_TOKEN_INVALID', redirectTo };
}
