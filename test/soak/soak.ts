/** One run: starts the system, lets a crowd, operators and faults at it, collects what is left, and judges it. */
import { setMaxListeners } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { collectEnd } from './collect-end.ts';
import { createBalancer } from './crowd/browser.ts';
import { runCrowd } from './crowd/crowd.ts';
import { runFaults } from './faults/run-faults.ts';
import { createRecorder, type Recorder, type RunFacts } from './history.ts';
import { startObserver } from './observe.ts';
import { Operator } from './operator.ts';
import type { SoakOptions } from './options.ts';
import { judge } from './oracle/judge.ts';
import { createChance } from './random.ts';
import * as soaked from './system/system.ts';
import { createVerdict, type Verdict } from './verdict.ts';

export async function runSoak(options: SoakOptions, say: (text: string) => void): Promise<Verdict> {
  mkdirSync(options.folder, { recursive: true });
  const recorder = createRecorder(factsOf(options), join(options.folder, 'history.jsonl'));
  const shop = !options.lineOnly;
  const system = await soaked.startSystem({
    cluster: options.store !== 'redis',
    waitReplicas: options.store === 'cluster-wait' ? 1 : 0,
    shop,
    kafka: shop && !options.noKafka,
    lines: 3,
    onComplaint: (process, text) => recorder.add({ kind: 'complaint', at: Date.now(), process, text }),
  });
  try {
    await system.untilReady();
    say(`seed ${options.seed}: ${system.programs.length} processes on ${options.store} are ready`);
    await disturb(system, recorder, options, say);
  } finally {
    await system.stop();
    await recorder.close();
  }
  say('judging');
  return createVerdict(recorder.history, judge(recorder.history));
}

function factsOf({ seed, store }: SoakOptions): RunFacts {
  return {
    seed,
    store,
    mayLoseWrites: store === 'cluster',
    admissionIntervalMs: soaked.ADMISSION_INTERVAL_MS,
    seenTtlMs: soaked.SEEN_TTL_SECONDS * 1_000,
    claimTtlMs: soaked.CLAIM_TTL_SECONDS * 1_000,
    activeTtlMs: soaked.ACTIVE_TTL_SECONDS * 1_000,
    maxPerPerson: soaked.MAX_PER_PERSON,
    startedAt: Date.now(),
  };
}

const sign = createTokenSigner({ secret: soaked.secrets.AUTH_JWT_SECRET, typ: 'JWT' });

/** Long enough for a clock that jumps back a minute. */
function userToken(user: string): string {
  const iat = Math.floor(Date.now() / 1_000) - 120;
  return sign({ sub: user, iat, exp: iat + 86_400 });
}

async function disturb(
  system: soaked.System,
  recorder: Recorder,
  options: SoakOptions,
  say: (text: string) => void,
): Promise<void> {
  const chance = createChance(options.seed);
  const closing = new AbortController();
  // Every visitor at rest listens.
  setMaxListeners(0, closing.signal);
  const balancer = createBalancer(system.lines);
  const observer = startObserver(system, recorder, options.memory);
  const operator = new Operator({
    balancer,
    shops: system.shops.length > 0 ? createBalancer(system.shops) : undefined,
    recorder,
    chance: chance.fork(),
    closing: closing.signal,
    onRoom: (eventId) => observer.watch(eventId),
  });
  await operator.setUp();
  const context = { recorder, balancer, shops: system.shops, userToken, closing: closing.signal };
  const crowd = runCrowd({ size: options.visitors, rooms: operator.rooms, chance: chance.fork(), context });
  let problem: unknown;
  const operating = operator.work().catch((error) => {
    problem = error;
  });
  const overMs = options.minutes * 60_000;
  const over = sleep(overMs);
  try {
    if (options.faults > 0)
      await runFaults({
        ...{ system, recorder, chance: chance.fork(), count: options.faults, overMs, only: options.only },
        ...{ userToken, say, closing: closing.signal },
      });
    await over;
    // A calm end, in which everything must be served.
    await system.untilReady();
    await sleep(CALM_MS);
  } finally {
    closing.abort();
    const [came] = await Promise.all([crowd, operating]);
    say(`${came} visitors came`);
  }
  if (problem !== undefined) throw problem;
  await operator.tidyUp();
  recorder.add(await collectEnd(system, operator, observer, recorder, say));
  await observer.stop();
}

const CALM_MS = 12_000;
