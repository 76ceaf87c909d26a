/**
 * One run: processes, a store with a replica, a crowd, an operator, and faults, all by one seed. Each part has random
 * numbers of its own, so that leaving one out does not change what the others do.
 */
import type { RoomOverrides } from '../../src/line/model/room-settings.ts';
import { createRandom, type Random } from '../../src/simulate/random.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { CLEAN_CUTS, chooseFaults, type Fault } from './faults.ts';
import { LineProcess } from './line-process.ts';
import { type Command, LineServer, type Reply, type ScriptParts } from './line-server.ts';
import { Oracle, type Violation } from './oracle.ts';
import { Person } from './person.ts';
import { Scheduler } from './scheduler.ts';

export interface RunOptions {
  seed: number;
  /** Faults and persons to leave out, by index. */
  withoutFaults?: ReadonlySet<number>;
  withoutPersons?: ReadonlySet<number>;
  /** Parts of the program to leave out, to show what they are for. */
  parts?: Partial<ScriptParts & { hasFence: boolean }> | undefined;
  /** Whether to keep a history. */
  traces?: boolean;
}

export interface RunResult {
  violations: Violation[];
  faults: Fault[];
  persons: number;
  answers: number;
  history: string[];
}

const START = 1_790_000_000_000;
const FAULTS_UNTIL_MS = 10_000;
/** All faults are over then, and the line has had time to recover. */
const CALM_FROM_MS = 17_000;
const LATELY_MS = 3_000;
const END_MS = 22_000;
const TICK_MS = 1_000;
const COMMAND_TIMEOUT_MS = 2_000;
const REFRESH_SLOTS_EVERY_MS = 5_000;
const ALL_PARTS = { notesAttempts: true, fencesTicks: true, hasFence: true };

type ProcessFault = Extract<Fault, { process: number }>;
type StoreFault = Exclude<Fault, { process: number } | { kind: 'store clock' }>;

export function run(options: RunOptions): Promise<RunResult> {
  return new World(options).run();
}

class World {
  readonly #options: RunOptions;
  readonly #parts: typeof ALL_PARTS;
  readonly #scheduler = new Scheduler();
  readonly #oracle = new Oracle(() => this.#scheduler.now);
  readonly #defaults = testRoomDefaults({
    maxActive: 3,
    activeTtlMs: 6_000,
    activeMaxTtlMs: 9_000,
    claimTtlMs: 8_000,
    seenTtlMs: 60_000,
  });
  readonly #processes: LineProcess[] = [];
  readonly #slowness: number[] = [];
  readonly #history: string[] = [];
  readonly #refusedLately: string[] = [];
  #master: LineServer;
  #storeOffset = 0;
  #restarts = 0;
  #keepsPages = false;
  #answers = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#parts = { ...ALL_PARTS, ...options.parts };
    this.#master = this.#createServer('store-1');
    this.#oracle.follow(this.#master, false);
  }

  async run(): Promise<RunResult> {
    const random = this.#createRandom(0);
    const count = 2 + Math.floor(random() * 3);
    const persons = 4 + Math.floor(random() * 9);
    for (let i = 0; i < count; i += 1) this.#startProcess(i);
    for (let i = 0; i < persons; i += 1) {
      if (!this.#options.withoutPersons?.has(i)) this.#addPerson(i);
    }
    this.#operate(this.#createRandom(1));
    const faults = chooseFaults(this.#createRandom(2), count, FAULTS_UNTIL_MS);
    this.#keepsPages = faults.length === 1 && CLEAN_CUTS.has(faults[0]!.kind);
    for (const [i, fault] of faults.entries()) {
      if (!this.#options.withoutFaults?.has(i)) this.#scheduler.after(fault.at, () => this.#inflict(fault));
    }
    await this.#scheduler.run(END_MS, () => this.#oracle.violations.length > 0);
    if (this.#oracle.violations.length === 0) this.#oracle.judgeEnd(this.#master, this.#refusedLately);
    const { violations } = this.#oracle;
    return { violations, faults, persons, answers: this.#answers, history: this.#history };
  }

  #createRandom(part: number): Random {
    return createRandom(Math.imul(this.#options.seed, 2_654_435_761) ^ Math.imul(part + 1, 40_503));
  }

  #createServer(name: string): LineServer {
    const readTime = () => Math.floor(START + this.#scheduler.now + this.#storeOffset);
    return new LineServer({ name, defaults: this.#defaults, tickMs: TICK_MS, parts: this.#parts, readTime });
  }

  #startProcess(index: number): void {
    this.#restarts += 1;
    const name = `p${index}-${this.#restarts}`;
    const random = this.#createRandom(100 + this.#restarts);
    this.#slowness[index] ??= 0;
    this.#processes[index] = new LineProcess({
      name,
      scheduler: this.#scheduler,
      tickMs: TICK_MS,
      isAdmitter: index < 2,
      isSweeper: index === 0,
      hasFence: this.#parts.hasFence,
      link: {
        random,
        findMaster: () => this.#master,
        travelMs: () => 0.2 + 3 * random() + this.#slowness[index]! * random(),
        commandTimeoutMs: COMMAND_TIMEOUT_MS,
        onDone: (server, command, reply) => this.#judge(server, command, reply),
      },
      onVisits: (attempt, visits, outcomes, { server }) => this.#oracle.judgeVisits(attempt, visits, outcomes, server),
      onStale: ({ server }) => this.#oracle.judgeStale(server),
    });
  }

  #addPerson(index: number): void {
    new Person({
      name: `v${index}`,
      scheduler: this.#scheduler,
      random: this.#createRandom(1_000 + index),
      oracle: this.#oracle,
      processes: () => this.#processes,
      calmFrom: CALM_FROM_MS,
      keepsPages: () => this.#keepsPages,
      onAnswer: (text, isRefusal) => {
        this.#answers += 1;
        this.#trace(text);
        if (isRefusal && this.#scheduler.now > END_MS - LATELY_MS) this.#refusedLately.push(text);
      },
    });
  }

  /** Changes limits, pauses and opens; in the end the room is open and has a slot for somebody. */
  #operate(random: Random): void {
    const change = (overrides: RoomOverrides) => {
      if (this.#master.isDown || this.#master.isStopped) return;
      const command: Command = { do: 'put', overrides };
      this.#judge(this.#master, command, this.#master.execute(command));
    };
    for (let at = 0; at < FAULTS_UNTIL_MS; at += 1_000 + 4_000 * random()) {
      const state = random() < 0.15 ? 'paused' : 'open';
      const [maxActive, batchSize] = [Math.floor(random() * 6), 1 + Math.floor(random() * 3)];
      this.#scheduler.after(at, () => change({ state, maxActive, batchSize }));
    }
    this.#scheduler.after(CALM_FROM_MS, () => change({ state: 'open', maxActive: 4, batchSize: 2 }));
  }

  #judge(server: LineServer, command: Command, reply: Reply): void {
    if (command.do === 'tick' && reply.do === 'tick' && reply.outcome.outcome === 'ticked') {
      const numbers = reply.outcome.admitted.map(({ number }) => number);
      this.#trace(`${server.name} ticks${numbers.length > 0 ? `, admits ${numbers.join(', ')}` : ''}`);
    }
    if (command.do === 'put') this.#trace(`operator: ${JSON.stringify(command.overrides)}`);
    if (server.isSuperseded) this.#oracle.judgeSuperseded(server, reply);
    else this.#oracle.judgeCommand(server, command, reply);
  }

  #inflict(fault: Fault): void {
    this.#trace(`fault: ${JSON.stringify(fault)}`);
    const after = (ms: number, work: () => void) => this.#scheduler.after(ms, work);
    if (fault.kind === 'store clock') {
      this.#storeOffset += fault.byMs;
    } else if (fault.kind.startsWith('store ') || fault.kind.startsWith('failover')) {
      // One at a time: a second failover before the first is over would find no replica.
      if (!this.#master.isDown && !this.#master.isStopped) this.#breakStore(fault as StoreFault, this.#master);
    } else {
      this.#breakProcess(fault as ProcessFault, after);
    }
  }

  #breakProcess(fault: ProcessFault, after: (ms: number, work: () => void) => void): void {
    const process = this.#processes[fault.process]!;
    switch (fault.kind) {
      case 'lost replies':
        process.link.break();
        break;
      case 'cut':
        process.link.cut();
        after(fault.forMs, () => process.link.heal());
        break;
      case 'slow':
        this.#slowness[fault.process] = fault.byMs;
        after(fault.forMs, () => {
          this.#slowness[fault.process] = 0;
        });
        break;
      case 'process killed':
        process.kill();
        after(fault.forMs, () => this.#startProcess(fault.process));
        break;
      case 'process stopped':
        process.stopFor(fault.forMs);
        break;
    }
  }

  #breakStore(fault: StoreFault, server: LineServer): void {
    const after = (ms: number, work: () => void) => this.#scheduler.after(ms, work);
    switch (fault.kind) {
      case 'store restarted':
        this.#takeDown(server);
        after(fault.forMs, () => {
          server.isDown = false;
        });
        break;
      case 'store stopped':
        server.isStopped = true;
        after(fault.forMs, () => server.resume());
        break;
      case 'failover':
        this.#takeDown(server);
        after(fault.afterMs, () => this.#promote(server, fault.loses));
        break;
      case 'failover of a stopped store':
        server.isStopped = true;
        after(fault.afterMs, () => this.#promote(server, 0));
        after(fault.resumesAfterMs, () => server.resume());
        after(fault.resumesAfterMs + fault.knowsAfterMs, () => {
          server.isDemoted = true;
        });
        break;
    }
  }

  #takeDown(server: LineServer): void {
    server.isDown = true;
    for (const { link } of this.#processes) link.break();
  }

  /** The replica takes over, perhaps without the last commands. Clients find out at their next look at the cluster. */
  #promote(before: LineServer, loses: number): void {
    const replica = this.#createServer(`store-${Number(before.name.slice(6)) + 1}`);
    replica.follow(before.log.slice(0, Math.max(0, before.log.length - loses)));
    before.isSuperseded = true;
    before.onChange = () => {};
    this.#master = replica;
    this.#oracle.follow(replica, loses > 0);
    const random = this.#createRandom(10_000 + before.log.length);
    for (const { link } of this.#processes) {
      this.#scheduler.after(REFRESH_SLOTS_EVERY_MS * random(), () => link.refreshSlots());
    }
  }

  #trace(text: string): void {
    if (this.#options.traces) this.#history.push(`${(this.#scheduler.now / 1000).toFixed(3)} ${text}`);
  }
}
