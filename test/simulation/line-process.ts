/**
 * A process of the program: the real batcher, fence, ruler watch, admitter and sweeper, on a simulated connection. It can be
 * stopped for a while, so that everything in it happens late, and killed.
 */
import { pino } from 'pino';
import type { LineMetrics } from '../../src/line/line-metrics.ts';
import { runAdmitterOnce } from '../../src/line/roles/admitter.ts';
import { createSweeper } from '../../src/line/roles/sweeper.ts';
import type { Admissions } from '../../src/line/store/admissions.ts';
import { TickFence } from '../../src/line/store/redis/scripts/tick-fence.ts';
import { type Visit, VisitBatcher, type VisitOutcome } from '../../src/line/store/redis/scripts/visit.ts';
import { RulerWatch, type RulerWatchOptions } from '../../src/line/store/ruler-watch.ts';
import type {
  EnterOutcome,
  JoinOutcome,
  JoinWithNumberOutcome,
  LookOutcome,
  Visits,
} from '../../src/line/store/visits.ts';
import { StoreUnavailableError } from '../../src/platform/store-unavailable-error.ts';
import { type Command, EVENT, type Reply } from './line-server.ts';
import { type Answer, Link, type LinkOptions } from './link.ts';
import type { Scheduler } from './scheduler.ts';

export interface LineProcessOptions {
  name: string;
  scheduler: Scheduler;
  tickMs: number;
  link: Omit<LinkOptions, 'run' | 'scheduler'>;
  isAdmitter: boolean;
  isSweeper: boolean;
  /** Whether replies of a server that is behind are refused. */
  hasFence: boolean;
  onVisits: (attempt: string, visits: readonly Visit[], outcomes: readonly VisitOutcome[], answer: Answer) => void;
  onStale: (answer: Answer) => void;
}

const log = pino({ level: 'silent' });
const metrics = { countTick() {} } as unknown as LineMetrics;
const LEASE_INTERVALS = 1.5;
const TICK_WITHIN_MS = 1_000;
const COME_AGAIN_MS = 410;
const SWEEP_EVERY_MS = 2_000;

export class LineProcess {
  readonly name: string;
  readonly watch: Visits;
  readonly link: Link;
  isAlive = true;
  readonly #options: LineProcessOptions;
  readonly #fence: TickFence;
  readonly #batcher: VisitBatcher;
  #stoppedUntil = 0;
  #attempts = 0;

  constructor(options: LineProcessOptions) {
    this.#options = options;
    this.name = options.name;
    const { scheduler } = options;
    const stopwatch = { now: () => scheduler.now };
    this.link = new Link({ ...options.link, scheduler, run: (work) => this.run(work) });
    this.#fence = new TickFence({ warn() {} }, stopwatch);
    this.#batcher = new VisitBatcher((_, visits) => this.#visit(visits), {
      atEndOfTurn: (work) => this.#after(0, work),
      after: (ms, work) => this.#after(ms, work),
    });
    const delay = (ms: number) => new Promise<void>((resolve) => this.#after(ms, resolve));
    const ports = { visits: this.#createVisits(), admissions: this.#createAdmissions() };
    const watch = { ...ports, clock: stopwatch, log, tickMs: options.tickMs, delay };
    this.watch = new RulerWatch(watch as RulerWatchOptions);
    if (options.isAdmitter) this.#loop(options.tickMs, () => this.#admit());
    if (options.isSweeper) this.#loop(SWEEP_EVERY_MS, createSweeper(this.#createAdmissions()));
  }

  /** Does work of this process: at once, or when it resumes. */
  run(work: () => void): void {
    if (!this.isAlive) return;
    const { scheduler } = this.#options;
    if (this.#stoppedUntil <= scheduler.now) work();
    else scheduler.after(this.#stoppedUntil - scheduler.now, () => this.run(work));
  }

  stopFor(ms: number): void {
    this.#stoppedUntil = this.#options.scheduler.now + ms;
  }

  kill(): void {
    this.isAlive = false;
    this.link.close();
  }

  /** As the poll door: an entry token in the request means that the visitor was admitted. */
  look(visitor: string, wasAdmitted: boolean): Promise<LookOutcome> {
    const look: (eventId: string, visitor: string, options: object) => Promise<LookOutcome> = this.watch.look.bind(
      this.watch,
    );
    return look(EVENT, visitor, { wasAdmitted });
  }

  #after(ms: number, work: () => void): void {
    this.#options.scheduler.after(ms, () => this.run(work));
  }

  #loop(everyMs: number, pass: () => Promise<'done' | 'again'>): void {
    const next = (ms: number) => this.#after(ms, () => void once());
    const once = async () => next((await pass().catch(() => 'done')) === 'again' ? 0 : everyMs);
    next(everyMs * this.#options.link.random());
  }

  #admit(): Promise<'done' | 'again'> {
    const draws = { draw: () => Promise.reject(new Error('no draws here')) };
    return runAdmitterOnce({ admissions: this.#createAdmissions(), draws, metrics });
  }

  async #call<Name extends Reply['do']>(command: Command, name: Name) {
    const answer = await this.link.call(command);
    if (answer.reply.do !== name) throw new Error(`${name} was answered as ${answer.reply.do}`);
    return { answer, reply: answer.reply as Extract<Reply, { do: Name }> };
  }

  #requireCurrent(lastTick: number, tickedAt: number, answer: Answer): void {
    if (this.#fence.accepts(EVENT, lastTick, { tickedAt })) return;
    if (!this.#options.hasFence) {
      this.#options.onStale(answer);
      return;
    }
    this.link.refreshSlots();
    throw new StoreUnavailableError('the server is behind');
  }

  async #visit(visits: Visit[]): Promise<VisitOutcome[]> {
    this.#attempts += 1;
    const attempt = `${this.name}-${this.#attempts}`;
    const lastTick = this.#fence.lastTick(EVENT);
    const { answer, reply } = await this.#call({ do: 'visits', attempt, visits }, 'visits');
    this.#requireCurrent(lastTick, reply.tickedAt, answer);
    this.#options.onVisits(attempt, visits, reply.outcomes, answer);
    return reply.outcomes;
  }

  #createVisits(): Visits {
    const add = (visit: Visit) => this.#batcher.add(EVENT, visit);
    const after = <Name extends Reply['do']>(command: Command, name: Name) => {
      this.#batcher.flush(EVENT);
      return this.#call(command, name);
    };
    return {
      join: (_, visitor, { priority } = {}) =>
        add({ verb: priority ? 'join-priority' : 'join', visitor }) as Promise<JoinOutcome>,
      joinWithNumber: () => Promise.reject<JoinWithNumberOutcome>(new Error('no numbers here')),
      look: (_, visitor, { isSign } = {}) => add({ verb: isSign ? 'sign' : 'look', visitor }) as Promise<LookOutcome>,
      stay: (_, visitor, tokenId) => add({ verb: 'stay', visitor, tokenId }) as Promise<LookOutcome>,
      find: (_, visitor) => add({ verb: 'find', visitor }) as Promise<LookOutcome>,
      enter: () => Promise.reject<EnterOutcome>(new Error('no claim rooms here')),
      leave: async (_, visitor) => (await after({ do: 'leave', visitor }, 'leave')).reply.outcome,
      rename: async (_, from, to) => (await after({ do: 'rename', from, to }, 'rename')).reply.outcome,
      disconnect: () => Promise.resolve({ outcome: 'kept' }),
    };
  }

  #createAdmissions(): Admissions {
    const { tickMs } = this.#options;
    const holder = this.name;
    return {
      listActiveEvents: async () => [EVENT],
      tryLockAdmission: async () => {
        const leaseMs = tickMs * LEASE_INTERVALS;
        const { lockedAt } = (await this.#call({ do: 'lock', holder, leaseMs }, 'lock')).reply;
        if (lockedAt === undefined) return undefined;
        const release = async () => void (await this.link.call({ do: 'unlock', holder }));
        return { lease: { holder, tickBy: lockedAt + TICK_WITHIN_MS }, release };
      },
      tick: async (_, lock) => {
        this.#attempts += 1;
        const lastTick = this.#fence.lastTick(EVENT);
        const tickId = `${holder}-tick-${this.#attempts}`;
        const send = () => this.#call({ do: 'tick', tickId, lease: lock?.lease }, 'tick');
        let { answer, reply } = await send();
        if (reply.outcome.outcome === 'come-again') {
          await new Promise<void>((resolve) => this.#after(COME_AGAIN_MS, resolve));
          ({ answer, reply } = await send());
        }
        const { outcome } = reply;
        if (outcome.outcome !== 'ticked') throw new StoreUnavailableError(`the tick was refused: ${outcome.outcome}`);
        this.#requireCurrent(lastTick, outcome.pulse.at, answer);
        return outcome;
      },
      findPulse: async () => {
        const lastTick = this.#fence.lastTick(EVENT);
        const { answer, reply } = await this.#call({ do: 'pulse' }, 'pulse');
        if (reply.pulse !== undefined) this.#requireCurrent(lastTick, reply.pulse.at, answer);
        return reply.pulse;
      },
      sweep: async () => (await this.#call({ do: 'sweep' }, 'sweep')).reply.outcome,
    };
  }
}
