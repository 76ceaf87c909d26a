/**
 * Knows the promises of docs/reference/line.md and what has happened, and finds what breaks a promise. It watches every
 * change of the line in the store, and everything that visitors are told.
 */
import type { LineChange, Place } from '../../src/line/model/line.ts';
import type { Standing } from '../../src/line/model/standing.ts';
import type { Visit, VisitOutcome } from '../../src/line/store/redis/scripts/visit.ts';
import type { Command, LineServer, Reply } from './line-server.ts';

export type Promised =
  | 'capacity (1)'
  | 'order (2)'
  | 'one number each (3)'
  | 'same place (3)'
  | 'counts are sizes (4)'
  | 'progress (5)'
  | 'told inside, then waiting (6)'
  | 'joined is said once per place (8)'
  | 'a superseded master admits nobody'
  | 'a reply that is behind is not used'
  | 'waiters keep their page while the store is away'
  | 'the line recovers';

export interface Violation {
  promise: Promised;
  at: number;
  text: string;
}

/** A place as the store has it now. */
interface Held {
  number: number;
  visitor: string;
  since: number;
  isInside: boolean;
}

/** A request of a person, noted when it is sent. */
export interface Asked {
  visitor: string;
  sentAt: number;
  /** The highest number that anyone had been told by then. */
  highestTold: number;
}

export class Oracle {
  readonly violations: Violation[] = [];
  readonly #now: () => number;
  readonly #byVisitor = new Map<string, Held>();
  readonly #byNumber = new Map<number, Held>();
  /** By number: when somebody was first told that they are inside. */
  readonly #toldInside = new Map<number, number>();
  /** Visitor and number of places that have ended. */
  readonly #ended = new Set<string>();
  #highestNumber = 0;
  #highestTold = 0;
  #insideBefore = 0;
  #tickedAt = 0;
  /** Answers to requests before this are not judged: a failover has lost writes that were told. */
  #forgivenUntil = -1;
  /** The same for single visitors, to whom a superseded master has spoken. */
  readonly #forgivenVisitors = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** From now on this server has the line. `hasLost`: not all that was answered before. */
  follow(server: LineServer, hasLost: boolean): void {
    server.onChange = (change) => this.#note(change);
    if (!hasLost) return;
    // Processes remember places that are lost, until they ask the store for that visitor.
    for (const { visitor, number } of this.#byNumber.values()) this.#ended.add(`${visitor} ${number}`);
    this.#byNumber.clear();
    this.#byVisitor.clear();
    this.#toldInside.clear();
    for (const place of server.line.places.values()) this.#hold(place);
    this.#insideBefore = server.line.admitted.size + server.line.active.size;
    this.#highestNumber = server.line.nextNumber - 1;
    this.#highestTold = Math.min(this.#highestTold, this.#highestNumber);
    this.#forgivenUntil = this.#now();
  }

  /** After every command that the master has done. */
  judgeCommand({ line }: LineServer, command: Command, reply: Reply): void {
    const inside = line.admitted.size + line.active.size;
    const limit = Math.max(line.settings.maxActive, this.#insideBefore);
    if (inside > limit) this.#report('capacity (1)', `${inside} are inside, the limit is ${line.settings.maxActive}`);
    this.#insideBefore = inside;
    const placed = inside + line.waiting.size + line.priority.size + line.away.size;
    if (placed !== line.places.size) {
      this.#report('counts are sizes (4)', `${placed} in the sets, ${line.places.size} places`);
    }
    if (command.do === 'tick' && reply.do === 'tick' && reply.outcome.outcome === 'ticked') {
      this.#judgeOrder(line.waiting.head(), reply.outcome.admitted);
      this.#tickedAt = this.#now();
    }
  }

  /** After every command that a server has done which is the master no longer. */
  judgeSuperseded(server: LineServer, reply: Reply): void {
    if (reply.do !== 'tick' || reply.outcome.outcome !== 'ticked' || reply.outcome.admitted.length === 0) return;
    const numbers = reply.outcome.admitted.map(({ number }) => number).join(', ');
    this.#report('a superseded master admits nobody', `${server.name} admitted ${numbers}`);
  }

  judgeStale(server: LineServer): void {
    this.#report('a reply that is behind is not used', `a reply of ${server.name} was used`);
  }

  /** When a process gets the reply to a call. */
  judgeVisits(attempt: string, visits: readonly Visit[], outcomes: readonly VisitOutcome[], server: LineServer): void {
    const told = outcomes.filter(({ outcome }) => outcome === 'joined').length;
    const made = server.made.get(attempt) ?? 0;
    if (told !== made) {
      this.#report(
        'joined is said once per place (8)',
        `call ${attempt} made ${made} places and says joined ${told} times`,
      );
    }
    if (!server.isSuperseded) return;
    // What it did is lost, and the process that asked remembers it.
    for (const { visitor } of visits) this.#forgivenVisitors.add(visitor);
  }

  ask(visitor: string): Asked {
    return { visitor, sentAt: this.#now(), highestTold: this.#highestTold };
  }

  /** When a person receives an answer. */
  judgeAnswer({ visitor, sentAt, highestTold }: Asked, standing: Standing, { isNew = false, isCutOff = false } = {}) {
    if (this.isForgiven(visitor, sentAt) || standing.state === 'lobby') return;
    const held = this.#byVisitor.get(visitor);
    const hasHeld = held !== undefined && held.since < sentAt;
    if (standing.state === 'absent') {
      if (hasHeld) this.#report('same place (3)', `${visitor} has number ${held.number} and is told to have none`);
      return;
    }
    const { number } = standing;
    // A process does not notice at once that a place was given up in another: it asks the store once in a while.
    if (hasHeld && number !== held.number && !this.#ended.has(`${visitor} ${number}`)) {
      this.#report('same place (3)', `${visitor} has number ${held.number} and is told ${number}`);
    }
    if (standing.tokenId !== `epoch.${number}`)
      this.#report('same place (3)', `${visitor} has token ${standing.tokenId}`);
    if (isNew && number <= highestTold) {
      this.#report('order (2)', `${visitor} joined after ${highestTold} was told, and got ${number}`);
    }
    if (number === held?.number) this.#highestTold = Math.max(this.#highestTold, number);
    // A process that is cut off alone keeps the page of those who show no token: it cannot know better.
    if (!isCutOff) this.#judgeTold(visitor, sentAt, standing);
  }

  /** Whether the store has the visitor waiting, at that number, since before `since`. */
  isWaiting(visitor: string, number: number, since: number): boolean {
    const held = this.#byVisitor.get(visitor);
    return held !== undefined && held.number === number && !held.isInside && held.since < since;
  }

  isForgiven(visitor: string, sentAt: number): boolean {
    return this.#forgivenUntil >= sentAt || this.#forgivenVisitors.has(visitor);
  }

  judgeRefused(visitor: string, where: string): void {
    this.#report(
      'waiters keep their page while the store is away',
      `${visitor} has asked ${where} before and gets 503`,
    );
  }

  judgeEnd(server: LineServer, refusedLately: readonly string[]): void {
    const silentMs = this.#now() - this.#tickedAt;
    if (silentMs > 3 * server.line.tickMs) this.#report('progress (5)', `no tick for ${silentMs} ms without a fault`);
    if (refusedLately.length > 0)
      this.#report('the line recovers', `refused long after the last fault: ${refusedLately}`);
  }

  #judgeTold(visitor: string, sentAt: number, standing: Exclude<Standing, { state: 'absent' | 'lobby' }>): void {
    const { number, state } = standing;
    const toldAt = this.#toldInside.get(number);
    if (state !== 'waiting') {
      if (toldAt === undefined) this.#toldInside.set(number, this.#now());
    } else if (toldAt !== undefined && toldAt < sentAt) {
      const ago = Math.round(sentAt - toldAt);
      this.#report(
        'told inside, then waiting (6)',
        `${visitor}, number ${number}, asked ${ago} ms after being told inside`,
      );
    }
  }

  /** Nobody may be admitted while one before them waits and is there. */
  #judgeOrder(head: Place | undefined, admitted: readonly { visitor: string; number: number }[]): void {
    const last = admitted.at(-1);
    if (head === undefined || last === undefined || last.number < head.number) return;
    this.#report('order (2)', `${last.number} is admitted while ${head.number} waits`);
  }

  #note(change: LineChange): void {
    if (change.kind === 'put') {
      if (!this.#byNumber.has(change.place.number)) this.#judgeNumber(change.place);
      this.#hold(change.place);
    }
    if (change.kind === 'gone') this.#release(change.number);
  }

  #judgeNumber({ visitor, number }: Place): void {
    if (number <= this.#highestNumber) this.#report('one number each (3)', `${visitor} gets ${number} again`);
    this.#highestNumber = Math.max(this.#highestNumber, number);
    const held = this.#byVisitor.get(visitor);
    if (held !== undefined) this.#report('one number each (3)', `${visitor} has ${held.number} and gets ${number}`);
  }

  #hold({ visitor, number, state }: Place): void {
    const before = this.#byNumber.get(number);
    const isInside = state === 'admitted' || state === 'active';
    // A place that was given to another name is new under that name.
    const since = before?.visitor === visitor ? before.since : this.#now();
    if (before !== undefined && before.visitor !== visitor) this.#byVisitor.delete(before.visitor);
    const held = { number, visitor, since, isInside };
    this.#byNumber.set(number, held);
    this.#byVisitor.set(visitor, held);
  }

  #release(number: number): void {
    const held = this.#byNumber.get(number);
    if (held !== undefined) this.#ended.add(`${held.visitor} ${number}`);
    this.#byNumber.delete(number);
    if (held !== undefined && this.#byVisitor.get(held.visitor) === held) this.#byVisitor.delete(held.visitor);
  }

  #report(promise: Promised, text: string): void {
    this.violations.push({ promise, at: this.#now(), text });
  }
}
