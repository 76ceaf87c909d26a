/**
 * Tier 1 in front of a line whose store loses requests and replies, and carries out some calls long after their caller gave up.
 * Several processes switch tier 1 on and off, visitors take numbers and join with them. In virtual time, each run from its seed.
 */
import { describe, expect, it } from 'vitest';
import { createLine } from '../../src/line/model/line.ts';
import { join, joinWithNumber } from '../../src/line/rules/join.ts';
import { handOver, takeBack } from '../../src/line/rules/numbering.ts';
import { StoreUnavailableError } from '../../src/platform/store-unavailable-error.ts';
import { createRandom, type Random } from '../../src/simulate/random.ts';
import type { Counters } from '../../src/tier1/model/counters.ts';
import { runAdvancerOnce } from '../../src/tier1/roles/advancer.ts';
import { advance } from '../../src/tier1/rules/advance.ts';
import { assign } from '../../src/tier1/rules/assign.ts';
import { move } from '../../src/tier1/rules/move.ts';
import type { Tier1Store } from '../../src/tier1/store/tier1-store.ts';
import { type LineNumbers, Switching } from '../../src/tier1/switching.ts';
import { Scheduler } from '../simulation/scheduler.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { thorough } from '../support/thorough.ts';

const EVENT = 'concert';
const PACE = { batchSize: 10, cycleMs: 1_000 };
const SEEDS = 150 * thorough;
const PROCESSES = 3;
const VISITORS = 25;
const UNSTEADY_MS = 20_000;
const CALM_MS = 20_000;
const GIVE_UP_MS = 500;
const LATEST_MS = 4_000;

describe('tier 1 over a store that loses replies', () => {
  it('gives every visitor the number of their device, and leaves the line in step', async () => {
    const first = Math.floor(Math.random() * 2 ** 30);
    const reports: ({ seed: number } & Report)[] = [];
    for (let seed = first; seed < first + SEEDS; seed += 1) reports.push({ seed, ...(await simulate(seed)) });
    expect(reports.filter(({ broken }) => broken.length > 0)).toEqual([]);
    const sum = (count: (report: Report) => number) => reports.reduce((all, one) => all + count(one), 0);
    // Otherwise nothing was tried.
    expect(sum(({ switches }) => switches)).toBeGreaterThan(SEEDS);
    expect(sum(({ exchanged }) => exchanged)).toBeGreaterThan(SEEDS);
    expect(sum(({ lost }) => lost)).toBeGreaterThan(SEEDS);
  });
});

interface Report {
  broken: string[];
  switches: number;
  exchanged: number;
  lost: number;
}

async function simulate(seed: number): Promise<Report> {
  const random = createRandom(seed);
  const time = new Scheduler();
  const report: Report = { broken: [], switches: 0, exchanged: 0, lost: 0 };
  const link = createLink({ time, random, report });
  const store = createStore(time, report);
  const crowd = { time, random, report };
  const processes = Array.from({ length: PROCESSES }, () => {
    const tier1 = toRemoteTier1(store, link);
    const numbers = toRemoteNumbers(store, link);
    return { tier1, switching: new Switching(tier1, numbers), visits: toRemoteVisits(store, link) };
  });
  for (const { tier1, switching } of processes.slice(0, 2)) runAdvancer(time, { store: tier1, pace: PACE, switching });
  runOperator(crowd, processes);
  for (let no = 0; no < VISITORS; no += 1) time.after(random() * UNSTEADY_MS, () => visit(`v${no}`, crowd, processes));
  await time.run(UNSTEADY_MS + CALM_MS, () => false);
  checkEnd(store, report);
  return report;
}

type Store = ReturnType<typeof createStore>;

/** The line and the counters as one server has them: each step is atomic, and checked. */
function createStore(time: Scheduler, { broken }: Report) {
  const defaults = testRoomDefaults({ maxActive: 0, seenTtlMs: 86_400_000 });
  const line = createLine({ eventId: EVENT, epoch: 'e', defaults, overrides: {}, tickMs: 1_000 });
  const positions = new Map<string, number>();
  const owners = new Map<number, string>();
  let counters: Counters | undefined;
  const now = () => 1 + time.now;
  const noteOwner = (visitor: string, number: number) => {
    const owner = owners.get(number) ?? visitor;
    if (owner !== visitor) broken.push(`${owner} and ${visitor} have number ${number}`);
    owners.set(number, owner);
  };
  return {
    line,
    counters: () => counters,
    advance() {
      if (counters !== undefined) counters = advance(counters, PACE, now());
      return counters;
    },
    assign(device: string) {
      const assigned = counters && assign(counters, [device], (one) => positions.get(one));
      if (assigned === undefined) return undefined;
      counters = assigned.counters;
      for (const [one, position] of assigned.fresh) positions.set(one, position);
      return { position: assigned.positions[0]!, activation: counters.activation };
    },
    release(device: string, position: number) {
      if (positions.get(device) === position) positions.delete(device);
    },
    move(step: Parameters<Tier1Store['move']>[1]) {
      const moved = move(EVENT, counters, step, now());
      if (moved === undefined) return false;
      counters = moved;
      if (step.to === 'opening' || step.to === 'inactive') positions.clear();
      return true;
    },
    handOver: (activation: string) => handOver(line, activation),
    takeBack: (activation: string, last: number) => takeBack(line, activation, last),
    join(visitor: string) {
      const result = join(line, visitor, now());
      if (result.outcome !== 'joined') return result;
      if (counters?.state === 'active') broken.push(`${visitor} joined without a number while tier 1 was on`);
      noteOwner(visitor, result.place.number);
      return result;
    },
    joinWithNumber(visitor: string, number: number) {
      const result = joinWithNumber(line, { visitor, number }, now());
      if (result.outcome === 'joined') noteOwner(visitor, result.place.number);
      return result;
    },
  };
}

/** Calls a store that is far away. */
type Link = <T>(step: () => T) => Promise<T>;

function createLink({ time, random, report }: { time: Scheduler; random: Random; report: Report }): Link {
  return <T>(step: () => T) =>
    new Promise<T>((resolve, reject) => {
      const isUnsteady = time.now < UNSTEADY_MS;
      const fate = isUnsteady ? random() : 1;
      const giveUp = () => {
        report.lost += 1;
        reject(new StoreUnavailableError('no reply'));
      };
      // Lost on the way there, on the way back, or on its way for longer than anyone waits.
      if (fate < 0.1) time.after(GIVE_UP_MS, giveUp);
      else if (fate < 0.25) {
        time.after(random() * 20, step);
        time.after(GIVE_UP_MS, giveUp);
      } else if (fate < 0.35) {
        time.after(random() * LATEST_MS, step);
        time.after(GIVE_UP_MS, giveUp);
      } else
        time.after(random() * 20, () => {
          const result = step();
          time.after(random() * 20, () => resolve(result));
        });
    });
}

function toRemoteTier1(store: Store, link: Link): Tier1Store {
  return {
    findCounters: () => link(store.counters),
    listActive: () => link(() => ((store.counters()?.state ?? 'inactive') === 'inactive' ? [] : [EVENT])),
    advance: () => link(store.advance),
    move: (_eventId, step) => link(() => store.move(step)),
  } as Partial<Tier1Store> as Tier1Store;
}

function toRemoteNumbers(store: Store, link: Link): LineNumbers {
  return {
    handOverNumbers: (_eventId, activation) =>
      link(() => ({ outcome: 'handed-over' as const, last: store.handOver(activation) })),
    takeNumbersBack: (_eventId, activation, last) => link(() => store.takeBack(activation, last)),
  };
}

function toRemoteVisits(store: Store, link: Link) {
  return {
    assign: (device: string) => link(() => store.assign(device)),
    findCounters: () => link(store.counters),
    release: (device: string, position: number) => link(() => store.release(device, position)),
    join: (visitor: string) => link(() => store.join(visitor)),
    joinWithNumber: (visitor: string, number: number) => link(() => store.joinWithNumber(visitor, number)),
  };
}

type RemoteVisits = ReturnType<typeof toRemoteVisits>;
interface Process {
  switching: Switching;
  visits: RemoteVisits;
}
interface Crowd {
  time: Scheduler;
  random: Random;
  report: Report;
}

function runAdvancer(time: Scheduler, options: Parameters<typeof runAdvancerOnce>[0]): void {
  const pass = () =>
    void runAdvancerOnce(options)
      .catch(() => {})
      .then(() => time.after(200, pass));
  time.after(0, pass);
}

/** Switches through any process, and asks again until one answers. */
function runOperator({ time, random, report }: Crowd, processes: readonly Process[]): void {
  const pick = () => processes[Math.floor(random() * processes.length)]!;
  const change = async () => {
    const isOn = random() < 0.6;
    for (let tries = 0; tries < 50; tries += 1) {
      const { switching } = pick();
      const done = await (isOn ? switching.activate(EVENT) : switching.deactivate(EVENT)).then(
        () => true,
        () => false,
      );
      if (done) break;
    }
    report.switches += 1;
    if (time.now < UNSTEADY_MS) time.after(random() * 3_000, change);
  };
  time.after(random() * 2_000, change);
}

/** Joins through any process, by number while tier 1 is on; a request that fails is sent again. */
async function visit(visitor: string, { time, random, report }: Crowd, processes: readonly Process[]): Promise<void> {
  let number: { position: number; activation: string } | undefined;
  let mayHavePlace = false;
  for (let tries = 0; tries < 200; tries += 1) {
    const { visits } = processes[Math.floor(random() * processes.length)]!;
    try {
      if (number === undefined) {
        number = await visits.assign(visitor);
        if (number !== undefined) continue;
        const before: boolean = mayHavePlace;
        // If no reply comes, the join may be carried out much later.
        mayHavePlace = true;
        const joined = await visits.join(visitor);
        if ('place' in joined) return;
        mayHavePlace = before;
      } else if (await hasTurn(visits, number)) {
        const joined = await exchange(visits, visitor, number.position);
        if (!('place' in joined)) throw new Error(`number ${number.position} of ${visitor} was used`);
        report.exchanged += 1;
        if (joined.place.number !== number.position && !mayHavePlace)
          report.broken.push(`${visitor} had number ${number.position} and got ${joined.place.number}`);
        return;
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) {
        report.broken.push((error as Error).message);
        return;
      }
    }
    await time.delay(100 + random() * 200);
  }
}

async function hasTurn(visits: RemoteVisits, number: { position: number; activation: string }): Promise<boolean> {
  const counters = await visits.findCounters();
  // Once tier 1 is off, everyone may pass.
  if (counters === undefined || counters.state === 'inactive' || counters.activation !== number.activation) return true;
  return counters.servingCounter >= number.position;
}

/** As the doors of the line do. */
async function exchange(visits: RemoteVisits, visitor: string, position: number) {
  const outcome = await visits.joinWithNumber(visitor, position);
  if (outcome.outcome !== 'used') return outcome;
  await visits.release(visitor, position);
  return visits.join(visitor);
}

/** Nobody switches any more, and all calls arrive: tier 1 and the line agree on which of them assigns the numbers. */
function checkEnd({ line, counters }: Store, { broken }: Report): void {
  const { state = 'inactive', activation } = counters() ?? {};
  if (state !== 'active' && state !== 'inactive') broken.push(`tier 1 is still ${state}`);
  const expected = state === 'active' ? activation : undefined;
  if (line.numberedBy !== expected) broken.push(`tier 1 is ${state}, and the line says ${line.numberedBy}`);
}
