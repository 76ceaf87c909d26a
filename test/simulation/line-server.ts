/**
 * A Redis server with one line: what the scripts of src/line/store/redis do, by the rules that they translate. Commands are
 * atomic, and safe to repeat in the same way: by the name of an attempt, by the id of a tick. A replica is a server that
 * has done the same commands at the same times.
 */
import type { Pulse } from '../../src/line/estimate/pulse.ts';
import { createLine, emptyTally, type Line, type LineChange, type Place } from '../../src/line/model/line.ts';
import type { RoomOverrides, RoomSettings } from '../../src/line/model/room-settings.ts';
import { join } from '../../src/line/rules/join.ts';
import { leave } from '../../src/line/rules/leave.ts';
import { look, sign } from '../../src/line/rules/look.ts';
import { configure } from '../../src/line/rules/operate.ts';
import { rename } from '../../src/line/rules/rename.ts';
import { findPlace } from '../../src/line/rules/sessions.ts';
import { stay } from '../../src/line/rules/stay.ts';
import { sweep } from '../../src/line/rules/sweep.ts';
import { tick } from '../../src/line/rules/tick.ts';
import type { AdmissionLease, SweepOutcome, TickOutcome } from '../../src/line/store/admissions.ts';
import { toCrowd, toPulse, toStanding } from '../../src/line/store/memory/line-view.ts';
import type { Visit, VisitOutcome } from '../../src/line/store/redis/scripts/visit.ts';
import type { LeaveOutcome, RenameOutcome } from '../../src/line/store/visits.ts';

export type Command =
  | { do: 'visits'; attempt: string; visits: Visit[] }
  | { do: 'leave'; visitor: string }
  | { do: 'rename'; from: string; to: string }
  | { do: 'lock'; holder: string; leaseMs: number }
  | { do: 'unlock'; holder: string }
  | { do: 'tick'; tickId: string; lease: AdmissionLease | undefined }
  | { do: 'pulse' }
  | { do: 'sweep' }
  | { do: 'put'; overrides: RoomOverrides };

export type Reply =
  | { do: 'visits'; outcomes: VisitOutcome[]; tickedAt: number }
  | { do: 'leave'; outcome: LeaveOutcome }
  | { do: 'rename'; outcome: RenameOutcome }
  | { do: 'lock'; lockedAt: number | undefined }
  | { do: 'tick'; outcome: TickOutcome | { outcome: 'not-held' | 'come-again' } }
  | { do: 'pulse'; pulse: Pulse | undefined }
  | { do: 'sweep'; outcome: SweepOutcome }
  | { do: 'done' };

/** Parts of the scripts that can be left out, to show what they are for. */
export interface ScriptParts {
  /** Whether a repeated call knows which places it made. */
  notesAttempts: boolean;
  /** Whether a tick needs its lock, in time. */
  fencesTicks: boolean;
}

export interface Done {
  command: Command;
  /** By the server's clock. */
  at: number;
}

export interface LineServerOptions {
  name: string;
  defaults: RoomSettings;
  tickMs: number;
  parts: ScriptParts;
  /** Milliseconds since the epoch, by the clock of the machine. */
  readTime: () => number;
}

export class LineServer {
  readonly name: string;
  readonly line: Line;
  /** What was done, in order: the replication stream. */
  readonly log: Done[] = [];
  /** How many places each attempt really made. */
  readonly made = new Map<string, number>();
  onChange: (change: LineChange) => void = () => {};
  isStopped = false;
  /** Not the master any more, whether or not it knows. */
  isSuperseded = false;
  /** It knows, and sends clients to its successor. */
  isDemoted = false;
  isDown = false;
  readonly #options: LineServerOptions;
  /** What came while it was stopped. */
  readonly #inbox: (() => void)[] = [];
  /** By attempt: which of its visits made a place. */
  readonly #notes = new Map<string, boolean[]>();
  #lock: { holder: string; until: number } | undefined;
  #lastTick: { id: string; outcome: TickOutcome } | undefined;
  #pulse: Pulse | undefined;
  #gapNoticedAt = 0;

  constructor(options: LineServerOptions) {
    this.#options = options;
    this.name = options.name;
    const { defaults, tickMs } = options;
    this.line = createLine({ eventId: EVENT, epoch: 'epoch', defaults, overrides: {}, tickMs });
    this.line.onChange = (change) => this.onChange(change);
  }

  whenResumed(work: () => void): void {
    this.#inbox.push(work);
  }

  resume(): void {
    this.isStopped = false;
    for (const work of this.#inbox.splice(0)) work();
  }

  execute(command: Command): Reply {
    const at = this.#options.readTime();
    this.log.push({ command, at });
    return this.#apply(command, at);
  }

  /** Does what another server did, as its replica. */
  follow(log: readonly Done[]): void {
    for (const done of log) {
      this.log.push(done);
      this.#apply(done.command, done.at);
    }
  }

  #apply(command: Command, time: number): Reply {
    const { line } = this;
    const now = Math.max(time, line.tickedAt);
    switch (command.do) {
      case 'visits':
        return { do: 'visits', outcomes: this.#visitAll(command, now), tickedAt: line.tickedAt };
      case 'leave':
        return { do: 'leave', outcome: leave(line, command.visitor, now) };
      case 'rename':
        return { do: 'rename', outcome: { outcome: rename(line, command.from, command.to, now).outcome } };
      case 'lock':
        return { do: 'lock', lockedAt: this.#takeLock(command.holder, command.leaseMs, time) };
      case 'unlock':
        if (this.#lock?.holder === command.holder) this.#lock = undefined;
        return { do: 'done' };
      case 'tick':
        return { do: 'tick', outcome: this.#tick(command.tickId, command.lease, time, now) };
      case 'pulse':
        return { do: 'pulse', pulse: this.#pulse };
      case 'sweep':
        return { do: 'sweep', outcome: { outcome: 'swept', more: sweep(line, now) } };
      case 'put':
        configure(line, this.#options.defaults, { ...line.overrides, ...command.overrides });
        return { do: 'done' };
    }
  }

  #visitAll({ attempt, visits }: Extract<Command, { do: 'visits' }>, now: number): VisitOutcome[] {
    const { notesAttempts } = this.#options.parts;
    const before = notesAttempts ? this.#notes.get(attempt) : undefined;
    const firstNumber = this.line.nextNumber;
    const outcomes = visits.map((visit, index) => this.#visit(visit, before?.[index] === true, now));
    this.made.set(attempt, (this.made.get(attempt) ?? 0) + this.line.nextNumber - firstNumber);
    this.#notes.set(
      attempt,
      outcomes.map(({ outcome }) => outcome === 'joined'),
    );
    return outcomes;
  }

  #visit(visit: Visit, wasMade: boolean, now: number): VisitOutcome {
    const { line } = this;
    const found = (outcome: string, place: Place | undefined) =>
      ({ outcome, standing: toStanding(line, place, now), crowd: toCrowd(line, now) }) as VisitOutcome;
    switch (visit.verb) {
      case 'join':
      case 'join-priority': {
        if (wasMade) return found('joined', look(line, visit.visitor, now));
        const result = join(line, visit.visitor, now, visit.verb === 'join-priority');
        return 'place' in result ? found(result.outcome, result.place) : result;
      }
      case 'look':
        return found('found', look(line, visit.visitor, now));
      case 'sign':
        return found('found', sign(line, visit.visitor, now));
      case 'stay':
        return found('found', stay(line, visit.visitor, now, visit.tokenId));
      case 'find':
        return found('found', findPlace(line, visit.visitor, now));
      case 'enter':
        throw new Error('no claim rooms here');
    }
  }

  #takeLock(holder: string, leaseMs: number, time: number): number | undefined {
    const isTaken = this.#lock !== undefined && this.#lock.until > time && this.#lock.holder !== holder;
    if (isTaken) return undefined;
    this.#lock = { holder, until: time + leaseMs };
    return time;
  }

  #tick(tickId: string, lease: AdmissionLease | undefined, time: number, now: number) {
    if (this.#lastTick?.id === tickId) return this.#lastTick.outcome;
    if (lease !== undefined && this.#options.parts.fencesTicks) {
      if (!this.#isHeld(lease, time)) return { outcome: 'not-held' as const };
      if (!this.#isSteady(now)) return { outcome: 'come-again' as const };
    }
    const { line } = this;
    const { admitted, more } = tick(line, now);
    const { tally } = line;
    line.tally = emptyTally();
    this.#pulse = toPulse(line, now);
    const names = admitted.map(({ visitor, number }) => ({ visitor, number }));
    const outcome = { outcome: 'ticked', admitted: names, tally, more, pulse: this.#pulse } as const;
    this.#lastTick = { id: tickId, outcome };
    return outcome;
  }

  /** As in tick.lua. */
  #isSteady(now: number): boolean {
    const { tickedAt, tickMs } = this.line;
    if (tickedAt === 0 || now - tickedAt <= Math.max(1_500, 1.5 * tickMs)) return true;
    const sinceMs = now - this.#gapNoticedAt;
    if (this.#gapNoticedAt > tickedAt && sinceMs <= 1_500) return sinceMs >= 400;
    this.#gapNoticedAt = now;
    return false;
  }

  #isHeld({ holder, tickBy }: AdmissionLease, time: number): boolean {
    const isOthers = this.#lock !== undefined && this.#lock.until > time && this.#lock.holder !== holder;
    return !isOthers && time <= tickBy;
  }
}

export const EVENT = 'concert';
