/** The keys of the tokens that outside parties verify: from secrets (HS256) or from the file with the private keys. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { Clock } from '../platform/clock.ts';
import type { KeySet } from '../platform/jwt/key-set.ts';
import { SettingsError } from '../platform/settings/settings.ts';
import { createKey, createKeyFile } from '../signing-keys/key-file.ts';
import { KeyFileFollower, type PublishedKeys, publish } from '../signing-keys/key-file-follower.ts';
import { KeyFileError } from '../signing-keys/key-file-format.ts';
import { createSignedCounter, measureKeys } from '../signing-keys/key-metrics.ts';
import { createKeyRing, type KeyRing } from '../signing-keys/key-ring.ts';
import { type KeyAlgorithm, LONGEST_TOKEN_MS } from '../signing-keys/key-rules.ts';
import { joinKeys, type KindKeys, toKindKeys, toVerifyingKeys } from '../signing-keys/kind-keys.ts';
import type { Secrets } from './secrets.ts';

const KEYS_FILE = 'token-keys.json';

export interface TokenKinds {
  entryToken: KindKeys;
  vwrToken: KindKeys;
  staffPass: KindKeys;
}

export interface OpenTokenKeys extends TokenKinds {
  /** The public keys. Empty if tokens are signed with secrets. */
  published(): PublishedKeys;
  stop(): void;
}

export interface TokenKeysOptions {
  config: Pick<Config, 'tokens' | 'dataDir' | 'redis' | 'secrets'>;
  secrets: Pick<Secrets, 'entryToken' | 'vwrToken'>;
  registry: Registry;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn'>;
}

export function toKeysPath({ tokens, dataDir }: Pick<Config, 'tokens' | 'dataDir'>): string {
  return tokens.keysFile ?? join(dataDir, KEYS_FILE);
}

/** Call before `openSecrets`: whether this instance ran before it had keys shows in the secrets that it has. */
export async function prepareTokenKeys(
  config: Pick<Config, 'tokens' | 'dataDir' | 'redis'>,
  clock: Clock,
): Promise<void> {
  const { algorithm, keysFile } = config.tokens;
  if (algorithm === 'HS256' || keysFile !== undefined || config.redis !== undefined) return;
  const now = clock.now();
  const isUpgrade = existsSync(join(config.dataDir, 'secrets.json'));
  await createKeyFile(toKeysPath(config), {
    keys: [createKey(algorithm, { now, signsFrom: now })],
    // Until then tokens of an earlier version are accepted, which signed with the secrets.
    ...(isUpgrade ? { secretsUntil: now + LONGEST_TOKEN_MS } : {}),
  });
}

export async function openTokenKeys(options: TokenKeysOptions): Promise<OpenTokenKeys> {
  const { config, secrets } = options;
  const { names, algorithm, keysFile } = config.tokens;
  const rings = {
    entryToken: createKeyRing('entryToken', secrets.entryToken),
    vwrToken: createKeyRing('vwrToken', secrets.vwrToken),
    staffPass: createKeyRing('staffPass', secrets.entryToken),
  };
  if (algorithm !== 'HS256') return openPairs(algorithm, options);
  const bySecret = mapKinds(rings, (ring) => toKindKeys(ring, names));
  if (keysFile === undefined) return { ...bySecret, published: () => NOTHING, stop() {} };
  // During a change of the algorithm: other processes sign with the key pairs already, or still.
  const follower = await follow(options);
  const kinds = mapKinds(bySecret, (kind) => ({ ...kind, keys: joinKeys(kind.keys, follower) }));
  return { ...kinds, published: () => follower.published, stop: () => follower.stop() };
}

const NOTHING = publish([]);

async function openPairs(algorithm: KeyAlgorithm, options: TokenKeysOptions): Promise<OpenTokenKeys> {
  const { config, secrets, clock, log } = options;
  const { names } = config.tokens;
  const follower = await follow(options);
  const { id, algorithm: actual } = follower.currentKey();
  if (actual !== algorithm) {
    log.warn(
      `the key ${id} signs ${actual}, not ${algorithm}; to change: fairline keys rotate --algorithm ${algorithm}`,
    );
  }
  const old = createOldSecrets(config.secrets, secrets, follower, clock);
  const currentKey = () => follower.currentKey();
  const kinds = mapKinds(old, (keys): KindKeys => ({ currentKey, keys: joinKeys(keys, follower), names }));
  return { ...kinds, published: () => follower.published, stop: () => follower.stop() };
}

/** What was signed with secrets before: by the previous ones, or for a time by those of a version without keys. */
function createOldSecrets(
  { entryTokenPrevious, vwrTokenPrevious }: Config['secrets'],
  { entryToken, vwrToken }: TokenKeysOptions['secrets'],
  follower: KeyFileFollower,
  clock: Clock,
): Record<keyof TokenKinds, KeySet> {
  const isUpgrade = () => clock.now() < (follower.secretsUntil ?? 0);
  const create = (kind: keyof TokenKinds, previous: string | undefined, stored: KeyRing): KeySet => {
    const always = previous === undefined ? [] : toVerifyingKeys(createKeyRing(kind, [previous]));
    const meanwhile = toVerifyingKeys(createKeyRing(kind, stored));
    return {
      get keys() {
        return isUpgrade() ? meanwhile : always;
      },
    };
  };
  return {
    entryToken: create('entryToken', entryTokenPrevious, entryToken),
    vwrToken: create('vwrToken', vwrTokenPrevious, vwrToken),
    staffPass: create('staffPass', entryTokenPrevious, entryToken),
  };
}

async function follow({ config, registry, clock, log }: TokenKeysOptions): Promise<KeyFileFollower> {
  const follower = new KeyFileFollower({
    path: toKeysPath(config),
    clock,
    onSigned: createSignedCounter(registry),
    onFault(error) {
      if (error === undefined) log.info('the key file can be read again');
      else log.warn({ err: error }, 'the key file cannot be read; the last keys are used');
    },
  });
  await follower.begin().catch((error: Error) => {
    if (error instanceof KeyFileError) throw new SettingsError(`TOKEN_KEYS_FILE: ${error.message}`);
    throw new SettingsError(`TOKEN_KEYS_FILE: the file cannot be read: ${error.message}`);
  });
  measureKeys(registry, follower, clock);
  return follower;
}

function mapKinds<From, To>(
  { entryToken, vwrToken, staffPass }: Record<keyof TokenKinds, From>,
  change: (from: From) => To,
): Record<keyof TokenKinds, To> {
  return { entryToken: change(entryToken), vwrToken: change(vwrToken), staffPass: change(staffPass) };
}
