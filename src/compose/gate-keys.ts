/** What `fairline gate` verifies with: public keys that it follows, secrets that it was given, or both. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { createStaffPasses } from '../gate/access/staff-passes.ts';
import type { VerificationKeys } from '../gate/decision/gate-request.ts';
import { createFindKeys, type FindKeys } from '../gate/lookups/find-keys.ts';
import { JWKS_PATH, KEYS_APART_MS, KEYS_FRESH_MS } from '../gate/lookups/line-keys.ts';
import { createVerificationKeys } from '../gate/lookups/verification-keys.ts';
import type { UserTokens } from '../identity/identity.ts';
import { createIdentity } from '../identity/identity.ts';
import { createEntryTokens } from '../line/tokens/entry-tokens.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import { FollowedKeys } from '../platform/jwt/followed-keys.ts';
import { type KeySource, readKeysFromFile, readKeysFromUrl } from '../platform/jwt/key-source.ts';
import { isKeyAlgorithm } from '../signing-keys/key-file-format.ts';
import { createKeyRing, type KeyRing } from '../signing-keys/key-ring.ts';
import { joinKeys, type KindKeys, toVerifyingKeys, verifyOnly } from '../signing-keys/kind-keys.ts';
import { createDeviceFinder } from '../tier1/tokens/devices.ts';
import { createVwrTokens } from '../tier1/tokens/vwr-tokens.ts';
import { toRing } from './secrets.ts';
import type { TokenKinds } from './token-keys.ts';

export interface GateKeys {
  keys: VerificationKeys;
  /** undefined: the gate has secrets only. */
  findKeys: FindKeys | undefined;
  stop(): void;
}

type GateKeysConfig = Pick<Config, 'tokens' | 'gate' | 'secrets' | 'accounts'>;

/** Where the public keys are: a URL or a file. undefined: nowhere, so the gate needs the secrets. */
export function findKeySource({ tokens, gate }: Pick<Config, 'tokens' | 'gate'>): string | undefined {
  if (tokens.jwks !== undefined || gate.lineUrl === undefined) return tokens.jwks;
  return tokens.isChosen && tokens.algorithm === 'HS256' ? undefined : `${gate.lineUrl}${JWKS_PATH}`;
}

export interface GateKeysOptions {
  config: GateKeysConfig;
  userTokens: UserTokens;
  clock: Clock;
  log: Logger;
}

export async function openGateKeys({ config, userTokens, clock, log }: GateKeysOptions): Promise<GateKeys> {
  const { secrets, accounts, gate } = config;
  const followed = await follow(config, log);
  const kinds = toKinds(config, followed);
  const keys = createVerificationKeys({
    entryTokens: createEntryTokens(kinds.entryToken, clock),
    staffPasses: createStaffPasses(kinds.staffPass, clock),
    vwrTokens: createVwrTokens(kinds.vwrToken, clock),
    identity: createIdentity({
      authSecrets: [],
      userTokens,
      guestKeys: ringOf('guestCookie', secrets.guest, secrets.guestPrevious),
      trustsHeldKeys: secrets.guest === undefined,
      sessionCookie: accounts.sessionCookie,
      guestsWelcome: accounts.guests,
      clock,
    }),
    device: toDevice(
      createDeviceFinder({
        keys: ringOf('deviceCookie', secrets.vwrToken, secrets.vwrTokenPrevious),
        trustsHeldKeys: secrets.vwrToken === undefined,
        clock,
      }),
    ),
    cdnSecret: gate.cdnSecret,
    waitsForKeys: true,
  });
  return {
    keys,
    findKeys: followed && createFindKeys((id) => followed.findMissing(id)),
    stop: () => followed?.stop(),
  };
}

/** With key pairs, what secrets signed is accepted by the previous secrets only. */
function toKinds({ tokens, secrets }: GateKeysConfig, followed: FollowedKeys | undefined): TokenKinds {
  const isBySecret = tokens.algorithm === 'HS256';
  const create = (kind: keyof TokenKinds, current: string | undefined, previous: string | undefined): KindKeys => {
    const accepted = toVerifyingKeys(ringOf(kind, isBySecret ? current : undefined, previous));
    const sets = [{ keys: accepted }, ...(followed === undefined ? [] : [followed])];
    return verifyOnly(joinKeys(...sets), tokens.names);
  };
  return {
    entryToken: create('entryToken', secrets.entryToken, secrets.entryTokenPrevious),
    vwrToken: create('vwrToken', secrets.vwrToken, secrets.vwrTokenPrevious),
    staffPass: create('staffPass', secrets.entryToken, secrets.entryTokenPrevious),
  };
}

async function follow(config: GateKeysConfig, log: Logger): Promise<FollowedKeys | undefined> {
  const from = findKeySource(config);
  if (from === undefined) return undefined;
  let isAway = false;
  const read: KeySource = /^https?:/.test(from) ? readKeysFromUrl(from) : readKeysFromFile(from);
  const followed = new FollowedKeys({
    async source() {
      const keys = await read();
      if (isAway) log.info({ from }, 'the public keys of tokens can be read again');
      isAway = false;
      return keys.filter(({ algorithm, id }) => id !== undefined && isKeyAlgorithm(algorithm));
    },
    refreshMs: KEYS_FRESH_MS,
    minRefreshMs: KEYS_APART_MS,
    now: () => stopwatch.now(),
    onError(error) {
      if (!isAway) log.warn({ err: error, from }, 'the public keys of tokens cannot be read; the last ones are used');
      isAway = true;
    },
  });
  await followed.begin();
  if (followed.keys.length === 0 && !isAway && config.secrets.entryToken === undefined) {
    const advice = 'it signs with HS256: set QUEUE_ENTRY_TOKEN_SECRET and VWR_TOKEN_SECRET here, or key pairs there';
    log.warn({ from }, `the line publishes no keys, so no token is accepted; ${advice}`);
  }
  return followed;
}

/** No secret, no key: nothing that was signed with one is accepted. */
function ringOf(
  kind: Parameters<typeof createKeyRing>[0],
  current: string | undefined,
  previous: string | undefined,
): readonly string[] {
  if (current !== undefined) return createKeyRing(kind, toRing(current, previous));
  return previous === undefined ? [] : createKeyRing(kind, [previous]);
}

/** Of AUTH_JWT_SECRET. A random secret instead of a missing one: nothing can be signed with it. */
export function ringOfUsers({ auth, authPrevious }: Config['secrets']): KeyRing {
  return toRing(auth ?? crypto.randomUUID() + crypto.randomUUID(), authPrevious);
}

function toDevice(find: (cookies: string | undefined) => string | undefined): VerificationKeys['device'] {
  return ({ cookie }) => find(String(cookie));
}
