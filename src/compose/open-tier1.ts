/** Builds the services of tier 1 from its store and its secrets. */
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { IdentityCounts } from '../identity/identity-counts.ts';
import { createProofOfWork, type ProofOfWork } from '../identity/proof-of-work.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import { RateLimit } from '../platform/rate-limit.ts';
import { createKeyRing } from '../signing-keys/key-ring.ts';
import type { KindKeys } from '../signing-keys/kind-keys.ts';
import { Assigner } from '../tier1/assigner.ts';
import { CounterCache } from '../tier1/counter-cache.ts';
import type { Tier1Store } from '../tier1/store/tier1-store.ts';
import { createTier1Metrics, type Tier1Metrics } from '../tier1/tier1-metrics.ts';
import { createDevices, type Devices } from '../tier1/tokens/devices.ts';
import { createSignedPlaces } from '../tier1/tokens/signed-places.ts';
import { createTokenExchange, type TokenExchange } from '../tier1/tokens/token-exchange.ts';
import { createVwrTokens, type VwrTokens } from '../tier1/tokens/vwr-tokens.ts';
import { WaitingRoom } from '../tier1/waiting-room.ts';

export interface Tier1 {
  store: Tier1Store;
  counters: CounterCache;
  room: WaitingRoom;
  devices: Devices;
  vwrTokens: VwrTokens;
  /** Shared with the line: both count the identities of an address together. */
  identityCounts: IdentityCounts;
  proofOfWork: ProofOfWork;
  tokenExchange: TokenExchange;
  metrics: Tier1Metrics;
}

export interface Tier1Options {
  config: Pick<Config, 'tier1' | 'limits'>;
  store: Tier1Store;
  /** Of places, device cookies and challenges: the secret to sign with, then those that are still accepted. */
  secrets: readonly [string, ...string[]];
  tokenKeys: { vwrToken: KindKeys };
  registry: Registry;
  clock: Clock;
}

export function createTier1({ config, store, secrets, tokenKeys, registry, clock }: Tier1Options): Tier1 {
  const { pace, placeTtlMs, challengeDigits } = config.tier1;
  const metrics = createTier1Metrics(registry);
  const counters = new CounterCache({ read: (eventId) => store.findCounters(eventId), clock: stopwatch });
  const devices = createDevices(createKeyRing('deviceCookie', secrets), clock);
  const vwrTokens = createVwrTokens(tokenKeys.vwrToken, clock);
  const keys = createKeyRing('challenge', secrets);
  const proofOfWork = createProofOfWork({ keys, digits: challengeDigits, clock });
  const identityCounts = new IdentityCounts(clock);
  const room = new WaitingRoom({
    counters,
    assigner: new Assigner(store),
    signedPlaces: createSignedPlaces({ keys: createKeyRing('tier1Place', secrets), ttlMs: placeTtlMs, clock }),
    vwrTokens,
    proofOfWork,
    identityCounts,
    addressAllowance: config.limits.assignPerIp,
    assignsPerDevice: new RateLimit(config.limits.assignPerDevice, clock),
    metrics,
    pace,
  });
  const tokenExchange = createTokenExchange({ vwrTokens, devices, store });
  return { store, counters, room, devices, vwrTokens, identityCounts, proofOfWork, tokenExchange, metrics };
}
