/** Tells failures that mean Redis is unavailable from bugs of ours. */
import { StoreUnavailableError } from '../store-unavailable-error.ts';

/** Replies of a server that cannot run the command now. Any other error reply means a wrong command or script. */
const TEMPORARY =
  /^(?:OOM|LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|MISCONF|NOREPLICAS|UNBLOCKED|NOAUTH|WRONGPASS|NOPERM)\b/;

export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  const isRefusal = error.name === 'ReplyError';
  if (isRefusal && !TEMPORARY.test(error.message)) return error;
  return new StoreUnavailableError(`Redis does not answer: ${error.message}`, { cause: error });
}
