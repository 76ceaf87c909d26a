/** Which failures mean that Redis cannot serve now, as opposed to a fault of ours. */
import { StoreUnavailableError } from '../store-unavailable-error.ts';

/**
 * Replies by which a healthy client learns that the server cannot take the command now. Anything else a server refuses
 * is a wrong command or a wrong script.
 */
const PASSING =
  /^(?:OOM|LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|MISCONF|NOREPLICAS|UNBLOCKED|NOAUTH|WRONGPASS|NOPERM)\b/;

export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  const isRefusal = error.name === 'ReplyError';
  if (isRefusal && !PASSING.test(error.message)) return error;
  return new StoreUnavailableError(`Redis does not answer: ${error.message}`, { cause: error });
}
