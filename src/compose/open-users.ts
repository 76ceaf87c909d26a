/** Users' tokens and the keys that verify them, for an instance and for `fairline gate`. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { UserTokens } from '../identity/identity.ts';
import { isUrl, WrongIssuerError } from '../identity/issuer/issuer-document.ts';
import { createIssuerKeys, type IssuerKeys } from '../identity/issuer/issuer-keys.ts';
import { createIssuerMetrics } from '../identity/issuer/issuer-metrics.ts';
import { createIssuerSource } from '../identity/issuer/issuer-source.ts';
import { createKeptKeys } from '../identity/issuer/kept-keys.ts';
import { createUserTokens } from '../identity/issuer/user-tokens.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import type { Beginning } from '../platform/concurrency/beginning.ts';
import { createKeyRing, type KeyRing } from '../signing-keys/key-ring.ts';
import { storesOf } from './role-stores.ts';

export interface UserServices {
  tokens: UserTokens;
  close(): void;
}

interface UserServicesOptions {
  config: Config;
  /** The ring of AUTH_JWT_SECRET. */
  secrets: KeyRing;
  registry: Registry;
  clock: Clock;
  log: Logger;
}

/** How soon a key that the provider withdrew is refused. */
const URL_REFRESH_MS = 300_000;
const FILE_REFRESH_MS = 5_000;

/** For an instance: a start without the provider's keys is not ready, but serves everybody else. */
export function openUsers({ beginning, ...options }: UserServicesOptions & { beginning: Beginning }): UserServices {
  const { config } = options;
  if (!storesOf(config.roles).uses.includes('issuer')) return createServices(options, undefined);
  const issuerKeys = openIssuerKeys(options, config.dataDir);
  if (issuerKeys !== undefined) {
    void issuerKeys.begin();
    beginning.add({
      name: 'the identity provider',
      store: 'issuer',
      run: () => issuerKeys.require(),
      isHopeless: (error) => error instanceof WrongIssuerError,
    });
  }
  return createServices(options, issuerKeys);
}

/** For `fairline gate`, which starts whether or not the provider is there. It keeps nothing on disk. */
export async function openGateUsers(options: UserServicesOptions): Promise<UserServices> {
  const issuerKeys = openIssuerKeys(options, undefined);
  await issuerKeys?.begin();
  return createServices(options, issuerKeys);
}

function createServices(
  { config, secrets, clock }: UserServicesOptions,
  issuerKeys: IssuerKeys | undefined,
): UserServices {
  return {
    tokens: createUserTokens({
      secrets: createKeyRing('userSession', secrets),
      rules: config.users.rules,
      issuerKeys,
      clock,
    }),
    close: () => issuerKeys?.stop(),
  };
}

/** `dir`: where a copy of the keys is kept; undefined: nowhere. */
function openIssuerKeys(
  { config, registry, clock, log }: UserServicesOptions,
  dir: string | undefined,
): IssuerKeys | undefined {
  const { countRead } = createIssuerMetrics(registry);
  const { provider, rules } = config.users;
  if (provider === undefined || rules === undefined) return undefined;
  const { issuer, jwks } = provider;
  const now = () => stopwatch.now();
  const kept =
    dir === undefined
      ? undefined
      : createKeptKeys({
          dir,
          source: JSON.stringify({ issuer, jwks }),
          now: () => clock.now(),
          onError: (error) => log.warn({ err: error }, 'the copy of the keys of the identity provider was not written'),
        });
  const onKeptUsed = (error: Error) =>
    log.warn(`the identity provider is away, using the keys of its last read: ${error.message}`);
  return createIssuerKeys({
    source: createIssuerSource({ issuer, jwks, algorithms: rules.algorithms, kept, onKeptUsed, now }),
    refreshMs: jwks === undefined || isUrl(jwks) ? URL_REFRESH_MS : FILE_REFRESH_MS,
    now,
    onRead: countRead,
    onFault: (error) =>
      log.warn(`the keys of the identity provider were not read, the last ones stay: ${error.message}`),
  });
}
