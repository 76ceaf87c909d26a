/**
 * Several processes share one line over slow, unsteady links in virtual time, and visitors poll whichever they like. Once a
 * visitor was told that they are inside, no process says that they wait (invariant 6).
 */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createLine, type Line, type Place } from '../../src/line/model/line.ts';
import type { Standing } from '../../src/line/model/standing.ts';
import { join, joinWithNumber } from '../../src/line/rules/join.ts';
import { leave } from '../../src/line/rules/leave.ts';
import { look } from '../../src/line/rules/look.ts';
import { handOver } from '../../src/line/rules/numbering.ts';
import { configure } from '../../src/line/rules/operate.ts';
import { findPlace } from '../../src/line/rules/sessions.ts';
import { stay } from '../../src/line/rules/stay.ts';
import { tick } from '../../src/line/rules/tick.ts';
import { toCrowd, toPulse, toStanding } from '../../src/line/store/memory/line-view.ts';
import { RulerWatch } from '../../src/line/store/ruler-watch.ts';
import type { AskOptions, LookOutcome, Visits } from '../../src/line/store/visits.ts';
import { StoreUnavailableError } from '../../src/platform/store-unavailable-error.ts';
import { createRandom } from '../../src/simulate/random.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { createVirtualTime, type VirtualTime } from '../support/virtual-time.ts';

const SEEDS = 15;
const PROCESSES = 3;
const VISITORS = 30;
const SECONDS = 60;
const log = pino({ level: 'silent' });

interface Plan {
  seed: number;
  tickMs: number;
  /** Cuts all processes off from the store now and then, or one of them. */
  outages: 'none' | 'all' | 'one';
  /** Whether visitors present their entry token once they have it. */
  evidence: boolean;
}

interface Report {
  admissions: number;
  outages: number;
  refused: number;
  stepsBack: string[];
}

describe('several processes over one line', () => {
  it.each([
    ['at the default interval', { tickMs: 1_000, outages: 'none', evidence: false }],
    ['with short ticks', { tickMs: 100, outages: 'none', evidence: false }],
    ['through outages of the store', { tickMs: 1_000, outages: 'all', evidence: false }],
    ['through outages of the store, with short ticks', { tickMs: 100, outages: 'all', evidence: false }],
    [
      'while one of them is cut off, where visitors show their token',
      { tickMs: 1_000, outages: 'one', evidence: true },
    ],
  ] as const)('never take back what a visitor was told: %s (6)', async (_how, plan) => {
    const reports = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) reports.push(await simulate({ seed, ...plan }));
    expect(reports.flatMap(({ stepsBack }) => stepsBack)).toEqual([]);
    expect(sum(reports.map(({ admissions }) => admissions))).toBeGreaterThan(SEEDS * 3);
    if (plan.outages !== 'none') expect(sum(reports.map(({ outages }) => outages))).toBeGreaterThan(SEEDS / 2);
  });
});

async function simulate(plan: Plan): Promise<Report> {
  const random = createRandom(plan.seed);
  const time = createVirtualTime();
  const store = createStore(time, plan.tickMs);
  // A call that stalls and then fails with the store is as if one process were cut off before the others.
  const stallMs = plan.outages === 'all' ? 45 : 400;
  const links = Array.from({ length: PROCESSES }, () => new Link(time, random, stallMs));
  const watches = links.map((link) => {
    const visits = store.visitsThrough(link);
    const findPulse = () => link.call(() => store.pulse());
    // Timers of a busy process are late.
    const delay = (ms: number) => time.delay(ms + (random() < 0.1 ? random() * 1_500 : random() * 2));
    return new RulerWatch({ visits, admissions: { findPulse }, clock: time, delay, log, tickMs: plan.tickMs });
  });
  const report: Report = { admissions: 0, outages: 0, refused: 0, stepsBack: [] };
  const world = { plan, random, time, store, links, watches, report };
  void keepTicking(world);
  if (plan.outages !== 'none') void breakLinks(world);
  for (let i = 0; i < VISITORS; i += 1) void visit(world, i);
  await time.pass(SECONDS * 1_000);
  for (const watch of watches) watch.stop();
  return report;
}

interface World {
  plan: Plan;
  random: () => number;
  time: VirtualTime;
  store: ReturnType<typeof createStore>;
  links: Link[];
  watches: RulerWatch[];
  report: Report;
}

/** Half of the visitors come with numbers of tier 1, in any order, so that the head of the line moves back. */
async function visit(world: World, index: number): Promise<void> {
  const { random, time, report, watches, plan } = world;
  const visitor = `v${index}`;
  await time.delay(random() * 20_000);
  await world.store.visitsThrough(new Link(time, random, 0)).joinWithNumber('e', visitor, 1 + ((index * 7) % VISITORS));
  let told = false;
  for (;;) {
    // Silent for long enough to be passed over, now and then.
    await time.delay(random() < 0.03 ? 13_000 + random() * 4_000 : random() * (told ? 150 : 500));
    const process = Math.floor(random() * PROCESSES);
    const options: AskOptions | undefined = told && plan.evidence ? { wasAdmitted: true } : undefined;
    const outcome: LookOutcome | undefined = await watches[process]!.look('e', visitor, options).catch((error) => {
      if (!(error instanceof StoreUnavailableError)) throw error;
      report.refused += 1;
      return undefined;
    });
    if (outcome === undefined || outcome.outcome === 'no-room') continue;
    const { state }: Standing = outcome.standing;
    if (state === 'absent') return;
    if (told && state === 'waiting') report.stepsBack.push(`seed ${plan.seed}: ${visitor} by process ${process}`);
    if (!told && state === 'active') report.admissions += 1;
    told ||= state === 'active';
    if (told && random() < 0.04) return world.store.remove(visitor);
  }
}

async function keepTicking({ time, store, plan, random }: World): Promise<void> {
  for (;;) {
    await time.delay(plan.tickMs * (0.9 + 0.2 * random()));
    if (!store.isStopped) store.tick();
  }
}

/** While the store is away for all, it does nothing: its own ticks stop too. */
async function breakLinks({ plan, random, time, store, links, report }: World): Promise<void> {
  for (;;) {
    await time.delay(random() * 4_000);
    // An admission that one process has just learned of is the hardest case.
    await store.nextAdmission();
    await time.delay(random() * 300);
    const broken = plan.outages === 'all' ? links : [links[Math.floor(random() * PROCESSES)]!];
    store.isStopped = plan.outages === 'all';
    for (const link of broken) link.break();
    report.outages += 1;
    await time.delay(random() * 3_000);
    for (const link of broken) link.mend();
    store.isStopped = false;
  }
}

/** A connection to the store. A call takes a while to get there and back; while broken, calls are lost either way. */
class Link {
  readonly #time: VirtualTime;
  readonly #random: () => number;
  /** The longest that a call may take each way. */
  readonly #stallMs: number;
  #isBroken = false;

  constructor(time: VirtualTime, random: () => number, stallMs: number) {
    this.#time = time;
    this.#random = random;
    this.#stallMs = stallMs;
  }

  break(): void {
    this.#isBroken = true;
  }

  mend(): void {
    this.#isBroken = false;
  }

  async call<T>(run: () => T): Promise<T> {
    await this.#travel();
    const reply = run();
    await this.#travel();
    return reply;
  }

  async #travel(): Promise<void> {
    await this.#time.delay(this.#random() < 0.02 ? this.#random() * this.#stallMs : this.#random() * 5);
    if (!this.#isBroken) return;
    await this.#time.delay(this.#random() * 400);
    throw new StoreUnavailableError('the store is away');
  }
}

function createStore(time: VirtualTime, tickMs: number) {
  const defaults = testRoomDefaults();
  const line = createLine({ eventId: 'e', epoch: 'x', defaults, overrides: {}, tickMs });
  configure(line, defaults, { maxActive: 2 });
  handOver(line, 'a');
  let pulse: ReturnType<typeof toPulse> | undefined;
  const listeners: (() => void)[] = [];
  type Find = (line: Line, visitor: string, now: number) => Place | undefined;
  const found = (visitor: string, find: Find) => {
    const place = find(line, visitor, time.now());
    return {
      outcome: 'found' as const,
      standing: toStanding(line, place, time.now()),
      crowd: toCrowd(line, time.now()),
    };
  };
  return {
    isStopped: false,
    pulse: () => pulse,
    tick() {
      const { admitted } = tick(line, time.now());
      pulse = toPulse(line, time.now());
      if (admitted.length > 0) for (const tell of listeners.splice(0)) tell();
    },
    nextAdmission: () => new Promise<void>((tell) => listeners.push(tell)),
    remove: (visitor: string) => void leave(line, visitor, time.now()),
    visitsThrough: (link: Link) =>
      ({
        look: (_eventId, visitor) => link.call(() => found(visitor, look)),
        stay: (_eventId, visitor) => link.call(() => found(visitor, stay)),
        find: (_eventId, visitor) => link.call(() => found(visitor, findPlace)),
        join: (_eventId, visitor) => link.call(() => toJoined(join(line, visitor, time.now()))),
        joinWithNumber: (_eventId, visitor, number) =>
          link.call(() => toJoined(joinWithNumber(line, { visitor, number }, time.now()))),
      }) as Partial<Visits> as Visits,
  };

  function toJoined(result: ReturnType<typeof joinWithNumber>) {
    if (!('place' in result)) throw new Error(result.outcome);
    return {
      outcome: result.outcome,
      standing: toStanding(line, result.place, time.now()),
      crowd: toCrowd(line, time.now()),
    };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
