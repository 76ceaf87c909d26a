/** Checks with the line that an admission has not ended: in its store, or over HTTP with an instance. */

import type { Visits } from '../../line/store/visits.ts';
import type { Entry } from '../../line/tokens/entry-pass.ts';
import { StoreUnavailableError } from '../../platform/store-unavailable-error.ts';
import type { GateRequest } from '../decision/gate-request.ts';

/** `unknown`: the line is unreachable. The check is no heartbeat: it does not renew the session. */
export type AskLine = (entry: Entry, request: GateRequest) => Promise<'stands' | 'ended' | 'unknown'>;

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
/** The headers by which the instance identifies the visitor. */
const CREDENTIALS = ['authorization', 'cookie', 'x-queue-entry-token'];

/** `lineUrl`: an instance with the role `line`. Uses no Node APIs. */
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
      // A 404 means that `lineUrl` is not an instance. Refuse, so the mistake shows.
      return response.status === 429 || response.status >= 500 ? 'unknown' : 'ended';
    } catch {
      return 'unknown';
    }
  };
}
