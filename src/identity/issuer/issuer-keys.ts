/** The public keys of the identity provider, read again and again. The last ones are kept while it is away. */
import { FollowedKeys } from '../../platform/jwt/followed-keys.ts';
import type { KeySet } from '../../platform/jwt/key-set.ts';
import type { KeySource } from '../../platform/jwt/key-source.ts';
import { StoreUnavailableError } from '../../platform/store-unavailable-error.ts';

export interface IssuerKeys extends KeySet {
  has(keyId: string): boolean;
  /** Reads the keys because this one is missing. undefined: too many wait already. Rejects if they cannot be read. */
  findMissing(keyId: string): Promise<void> | undefined;
  /** Reads the keys now, and from then on. Never rejects. */
  begin(): Promise<void>;
  /** Resolves if there are keys, those of an earlier read included. Rejects with the reason that there are none. */
  require(): Promise<void>;
  stop(): void;
}

export interface IssuerKeysOptions {
  source: KeySource;
  refreshMs: number;
  /** A monotonic clock in milliseconds. */
  now: () => number;
  onRead?: (outcome: 'read' | 'failed') => void;
  /** Called when reading fails for a new reason. */
  onFault?: (error: Error) => void;
}

/** Bounds how often strangers make us ask the provider. */
const MIN_REFRESH_MS = 3_000;
/** How many requests may wait at once for a key that nobody may ever have had. */
const MOST_WAITING = 1_000;

export function createIssuerKeys(options: IssuerKeysOptions): IssuerKeys {
  const { source, refreshMs, now, onRead, onFault } = options;
  let fault: Error | undefined;
  const followed = new FollowedKeys({
    source: async () => {
      const keys = await source();
      fault = undefined;
      onRead?.('read');
      return keys;
    },
    ...{ refreshMs, now, minRefreshMs: MIN_REFRESH_MS, mostWaiting: MOST_WAITING },
    onError(error) {
      onRead?.('failed');
      if (error.message !== fault?.message) onFault?.(error);
      fault = error;
    },
  });

  async function requireKey(keyId: string, reading: Promise<void>): Promise<void> {
    await reading;
    if (!followed.has(keyId) && fault !== undefined) throw new StoreUnavailableError(fault.message);
  }

  return {
    get keys() {
      return followed.keys;
    },
    has: (keyId) => followed.has(keyId),
    findMissing(keyId) {
      const reading = followed.findMissing(keyId);
      return reading && requireKey(keyId, reading);
    },
    begin: () => followed.begin(),
    async require() {
      if (followed.keys.length > 0) return;
      await followed.refresh();
      if (followed.keys.length === 0) throw fault ?? new Error('no keys were read');
    },
    stop: () => followed.stop(),
  };
}
