/** Checks that a request comes from an admitted visitor: a valid entry token of an admission that has not ended. */
import { withWantedPage } from '../../http/wanted-page.ts';
import type { Visits } from '../../line/store/visits.ts';
import type { Entry } from '../../line/tokens/entry-pass.ts';
import { findSendingPage } from '../decision/find-wanted-page.ts';
import type { Headers, VerificationKeys } from '../decision/gate-request.ts';
import { type EntryJudgement, judgeEntry } from '../decision/judge-entry.ts';
import { stillStands } from './ask-line.ts';

export interface EntryCheckOptions {
  visits: Pick<Visits, 'find'>;
  keys: Pick<VerificationKeys, 'entry' | 'caller'>;
  now: () => number;
}

export type EntryCheck =
  | { outcome: 'good'; entry: Entry }
  | (Extract<EntryJudgement, { outcome: 'refused' }> & { redirectTo: string });

/** Unlike the rules of a gate, it admits nobody while the line's store is unavailable. */
export async function checkEntry(
  eventId: string,
  { headers, host }: { headers: Headers; host: string | undefined },
  { visits, keys, now }: EntryCheckOptions,
): Promise<EntryCheck> {
  const judged = judgeEntry(headers, { eventId, keys, now: now() });
  if (judged.outcome === 'good' && (await stillStands(judged.entry, visits))) return judged;
  const code = judged.outcome === 'refused' ? judged.code : 'ENTRY_TOKEN_INVALID';
  const redirectTo = withWantedPage(`/queue/${eventId}`, findSendingPage(headers, host));
  return { outcome: 'refused', code, redirectTo };
}
