/** Tier 1 put together: from its store and its secrets to what the door, the page and the line's door use. */
import type { Registry } from 'prom-client';
import type { Config } from './config.ts';
import { Assigner } from './edge/assigner.ts';
import { type Challenges, createChallenges } from './edge/challenges.ts';
import { CounterCache } from './edge/counter-cache.ts';
import { createDevices, type Devices } from './edge/devices.ts';
import { createEdgeMetrics, type EdgeMetrics } from './edge/edge-metrics.ts';
import type { EdgeStore } from './edge/edge-store.ts';
import { createPasses, type Passes } from './edge/passes.ts';
import { createPlaces } from './edge/places.ts';
import { createVwrTokens, type VwrTokens } from './edge/vwr-tokens.ts';
import { WaitingRoom } from './edge/waiting-room.ts';
import { type Clock, stopwatch } from './platform/clock.ts';
import { RateLimit } from './platform/rate-limit.ts';

export interface Edge {
  store: EdgeStore;
  counters: CounterCache;
  room: WaitingRoom;
  devices: Devices;
  vwrTokens: VwrTokens;
  challenges: Challenges;
  passes: Passes;
  metrics: EdgeMetrics;
}

export interface EdgeOptions {
  config: Pick<Config, 'edge' | 'limits'>;
  store: EdgeStore;
  /** The one to sign with, then those that are still good. */
  secrets: readonly [string, ...string[]];
  registry: Registry;
  clock: Clock;
}

export function createEdge({ config, store, secrets, registry, clock }: EdgeOptions): Edge {
  const { pace, placeTtlMs, challengeDigits } = config.edge;
  const metrics = createEdgeMetrics(registry);
  const counters = new CounterCache({ read: (eventId) => store.findCounters(eventId), clock: stopwatch });
  const devices = createDevices(secrets, clock);
  const vwrTokens = createVwrTokens(secrets, clock);
  const challenges = createChallenges({ secret: secrets[0], digits: challengeDigits, clock });
  const room = new WaitingRoom({
    counters,
    assigner: new Assigner(store),
    places: createPlaces({ secrets, ttlMs: placeTtlMs, clock }),
    vwrTokens,
    challenges,
    assignsPerDevice: new RateLimit(config.limits.assignPerDevice, clock),
    assignsPerAddress: new RateLimit(config.limits.assignPerIp, clock),
    metrics,
    pace,
  });
  const passes = createPasses({ vwrTokens, devices, store });
  return { store, counters, room, devices, vwrTokens, challenges, passes, metrics };
}
