/** Asking the line whether an admission still stands: from its store, or over HTTP from an instance that has it. */

import type { Visits } from '../line/store/visits.ts';
import type { Entry } from '../line/tokens/entry-pass.ts';
import { StoreUnavailableError } from '../platform/store-unavailable-error.ts';
import type { AskLine } from './guard.ts';

export function askStore(visits: Pick<Visits, 'find'>): AskLine {
  return async (entry) => {
    try {
      return (await stillStands(entry, visits)) ? 'stands' : 'ended';
    } catch (error) {
      if (error instanceof StoreUnavailableError) return 'unknown';
      throw error;
    }
  };
}

export async function stillStands(entry: Entry, visits: Pick<Visits, 'find'>): Promise<boolean> {
  const found = await visits.find(entry.eventId, entry.visitor);
  if (found.outcome === 'no-room') return false;
  const { standing } = found;
  return (standing.state === 'admitted' || standing.state === 'active') && standing.tokenId === entry.tokenId;
}

const LONGEST_WAIT_MS = 2_000;
/** What the instance knows the visitor by. */
const CREDENTIALS = ['authorization', 'cookie', 'x-queue-entry-token'];

/** `lineUrl`: of an instance with the role `line`. Uses nothing of Node's. */
export function askInstance(lineUrl: string, send: typeof fetch = fetch): AskLine {
  return async (entry, { headers }) => {
    const credentials = CREDENTIALS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    });
    try {
      const response = await send(`${lineUrl}/gate/verify?eventId=${encodeURIComponent(entry.eventId)}`, {
        headers: credentials,
        redirect: 'manual',
        signal: AbortSignal.timeout(LONGEST_WAIT_MS),
      });
      await response.body?.cancel();
      if (response.status === 200) return 'stands';
      // An address that is not an instance's at all says 404: that is to be noticed, not to be passed by.
      return response.status === 429 || response.status >= 500 ? 'unknown' : 'ended';
    } catch {
      return 'unknown';
    }
  };
}
