/**
 * Random histories of one line. After every step an observer, with its own record of who was seen when, checks the
 * invariants of docs/reference/line.md. A restart rebuilds the line from the journal.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDrawSecrets } from '../../src/line/draw/draw-secrets.ts';
import { countInLine, countInside, createLine, type Line, orderOf, type Place } from '../../src/line/model/line.ts';
import { phaseAt, type RoomOverrides } from '../../src/line/model/room-settings.ts';
import { disconnect } from '../../src/line/rules/disconnect.ts';
import { enter } from '../../src/line/rules/enter.ts';
import { join } from '../../src/line/rules/join.ts';
import { leave } from '../../src/line/rules/leave.ts';
import { look } from '../../src/line/rules/look.ts';
import { clear, configure } from '../../src/line/rules/operate.ts';
import { UNTOLD_MS } from '../../src/line/rules/sessions.ts';
import { stay } from '../../src/line/rules/stay.ts';
import { sweep } from '../../src/line/rules/sweep.ts';
import { tick } from '../../src/line/rules/tick.ts';
import { createChangeEncoder, LineReplay, toRoomRecord } from '../../src/line/store/memory/journal-records.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { thorough } from '../support/thorough.ts';

const HISTORIES = 2_000 * thorough;
const TICK_MS = 1_000;
/** A visitor who was heard from within this time is present. */
const PRESENT_MS = 10_000;
/** One who was not heard from for this long, while admission ran, is passed over. */
const AWAY_AFTER_MS = 12_000;
const LONGEST_GAP_MS = 5_000;

type Step =
  | { do: 'look' | 'stay' | 'enter' | 'leave' | 'disconnect'; who: number }
  | { do: 'join'; who: number; priority: boolean }
  | { do: 'tick' | 'sweep' | 'restart' | 'clear' }
  | { do: 'pass'; ms: number }
  /** Seconds with ticks in which only these visitors are heard from. */
  | { do: 'silence'; seconds: number; present: number[] }
  | { do: 'limit'; maxActive: number }
  | { do: 'share'; priorityShare: number }
  | { do: 'admission'; admission: 'auto' | 'claim' }
  | { do: 'state'; state: 'open' | 'paused' | 'closed' };

const who = fc.integer({ min: 0, max: 7 });
const share = fc.constantFrom(0, 1, 20, 50, 75, 100);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('join' as const), who, priority: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('look' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('stay' as const), who }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('enter' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('leave' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disconnect' as const), who }) },
  { weight: 7, arbitrary: fc.constant({ do: 'tick' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'sweep' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 400, 1_000, 4_000, 11_000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('silence' as const),
      seconds: fc.constantFrom(3, 9, 13, 20),
      present: fc.uniqueArray(who, { maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('limit' as const), maxActive: fc.integer({ min: 0, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('share' as const), priorityShare: share }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('state' as const), state: fc.constantFrom('open', 'paused', 'closed') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('admission' as const), admission: fc.constantFrom('auto', 'claim') }),
  },
);
const setting = fc.record({
  priorityShare: share,
  admission: fc.constantFrom('auto' as const, 'claim' as const),
  claimWindow: fc.integer({ min: 1, max: 3 }),
  minWaitMs: fc.constantFrom(0, 0, 1_000, 4_000),
  maxActive: fc.integer({ min: 0, max: 3 }),
  batchSize: fc.integer({ min: 1, max: 3 }),
  seenTtlMs: fc.constantFrom(10_000, 60_000, 60_000),
  disconnectGraceMs: fc.constantFrom(0, 2_000, 40_000),
  renew: fc.boolean(),
  admitPerSecond: fc.option(fc.constantFrom(0.5, 2), { nil: undefined }),
});

describe('the rules of the line', () => {
  it(
    `keep invariants 1-5 and 8 over ${HISTORIES.toLocaleString('en')} random histories`,
    () => {
      fc.assert(
        fc.property(setting, fc.array(step, { minLength: 1, maxLength: 60 }), (settings, steps) => {
          const observer = new Observer(settings);
          for (const each of steps) observer.take(each);
        }),
        { numRuns: HISTORIES },
      );
    },
    240_000 * thorough,
  );

  it('forget a cleared line across a restart, and continue the numbers', () => {
    const observer = new Observer({ maxActive: 1, batchSize: 1, disconnectGraceMs: 0, renew: true });
    for (const each of [{ do: 'join', who: 1 }, { do: 'join', who: 2 }, { do: 'clear' }, { do: 'restart' }] as Step[]) {
      observer.take(each);
    }
    observer.take({ do: 'join', who: 1, priority: false });
    expect(observer.line.places.get('v1')?.number).toBe(3);
  });
});

/** What the observer expects of a visitor. */
interface Expected {
  number: number;
  state: Place['state'];
  activeAt: number;
  /** Until this time only leaving can lose the place. */
  until: number;
  /** Admitted by a tick, and not told so yet. */
  isUntold?: boolean;
}

class Observer {
  now = Date.UTC(2026, 0, 1);
  line: Line;
  readonly #defaults;
  readonly #replay = new LineReplay();
  readonly #numbersGiven = new Set<number>();
  readonly #expected = new Map<string, Expected>();
  /** When each visitor was last heard from. */
  readonly #heardAt = new Map<string, number>();
  #lastTickAt = Number.NEGATIVE_INFINITY;
  /** Since then there was no long gap between two ticks. */
  #tickingFrom = 0;

  constructor(settings: Record<string, unknown>) {
    this.#defaults = testRoomDefaults({
      seenTtlMs: 60_000,
      activeTtlMs: 5_000,
      activeMaxTtlMs: 12_000,
      claimTtlMs: 3_000,
      ...settings,
    });
    if (settings.admitPerSecond === undefined) delete this.#defaults.admitPerSecond;
    this.line = createLine({ eventId: 'e', epoch: 'x', defaults: this.#defaults, overrides: {}, tickMs: TICK_MS });
    this.#replay.apply(toRoomRecord(this.line));
    this.#journal();
  }

  take(step: Step): void {
    const before = this.#sight();
    this.#perform(step, before);
    this.#checkCapacity(before);
    this.#checkOrder(before);
    this.#checkSets();
    this.#checkNobodyVanished();
  }

  #perform(step: Step, before: Sight): void {
    switch (step.do) {
      case 'join':
        this.#join(`v${step.who}`, step.priority);
        break;
      case 'look':
        this.#look(`v${step.who}`);
        break;
      case 'stay':
        this.#stay(`v${step.who}`);
        break;
      case 'enter':
        this.#enter(`v${step.who}`);
        break;
      case 'leave':
        this.#leave(`v${step.who}`);
        break;
      case 'disconnect':
        this.#disconnect(`v${step.who}`);
        break;
      case 'tick':
        this.#tick(before);
        break;
      case 'sweep':
        sweep(this.line, this.now);
        break;
      case 'restart':
        this.#restart();
        break;
      case 'clear':
        clear(this.line, createDrawSecrets);
        this.#expected.clear();
        break;
      case 'pass':
        this.now += step.ms;
        break;
      case 'silence':
        this.#keepSilence(step);
        break;
      case 'limit':
        this.#configure({ maxActive: step.maxActive });
        break;
      case 'share':
        this.#configure({ priorityShare: step.priorityShare });
        break;
      case 'admission':
        this.#configure({ admission: step.admission });
        break;
      case 'state':
        this.#configure({ state: step.state });
        break;
    }
  }

  #join(visitor: string, priority = false): void {
    const had = this.#sure(visitor);
    const lane = this.line.places.get(visitor)?.lane;
    const result = join(this.line, visitor, this.now, priority);
    if (result.outcome === 'closed' || result.outcome === 'number-required') {
      expect(had, 'an existing place is never refused').toBeUndefined();
      this.#expected.delete(visitor);
      return;
    }
    const { number } = result.place;
    if (had !== undefined) expect(number, 'joining again returns the same place (3)').toBe(had.number);
    if (had !== undefined) expect(result.place.lane, 'a waiting visitor stays in their lane').toBe(lane);
    if (result.outcome === 'joined') {
      expect(this.#numbersGiven.has(number), `number ${number} is given twice (3)`).toBe(false);
      expect(number, 'later arrivals have larger numbers (2)').toBeGreaterThan(Math.max(0, ...this.#numbersGiven));
      this.#numbersGiven.add(number);
    }
    this.#noteSeen(visitor, result.place);
    if (result.outcome === 'joined' && result.place.state !== 'waiting') this.#checkNobodyOvertaken(result.place);
    const sight = this.#sight();
    expect(join(this.line, visitor, this.now, !priority)).toMatchObject({ outcome: 'already', place: { number } });
    expect(this.#sight(), 'a blind retry changes nothing (8)').toEqual(sight);
  }

  #look(visitor: string): void {
    const place = look(this.line, visitor, this.now);
    if (place === undefined) return;
    this.#noteSeen(visitor, place);
    const sight = this.#sight();
    look(this.line, visitor, this.now);
    expect(this.#sight(), 'a blind retry changes nothing (8)').toEqual(sight);
  }

  #stay(visitor: string): void {
    const before = this.#sight();
    const place = stay(this.line, visitor, this.now);
    if (place === undefined) return;
    expect(place.state, 'staying does not change the state').toBe(before.states.get(visitor)?.state);
    if (place.state === 'admitted') this.#noteTold(visitor);
    else this.#noteSeen(visitor, place);
  }

  #enter(visitor: string): void {
    const had = this.#sure(visitor);
    const mayEnter = had?.state === 'admitted' || had?.state === 'active';
    const result = enter(this.line, visitor, this.now);
    expect(result.outcome, 'entry is granted to admitted visitors and nobody else').toBe(
      mayEnter ? 'granted' : 'not-ready',
    );
    if (result.place !== undefined) this.#noteSeen(visitor, result.place);
    const sight = this.#sight();
    expect(enter(this.line, visitor, this.now)).toEqual(result);
    expect(this.#sight(), 'a blind retry changes nothing (8)').toEqual(sight);
  }

  #leave(visitor: string): void {
    leave(this.line, visitor, this.now);
    this.#expected.delete(visitor);
    const sight = this.#sight();
    expect(leave(this.line, visitor, this.now)).toEqual({ outcome: 'absent' });
    expect(this.#sight(), 'a blind retry changes nothing (8)').toEqual(sight);
  }

  #disconnect(visitor: string): void {
    const result = disconnect(this.line, visitor, this.now);
    const known = this.#expected.get(visitor);
    if (result.outcome === 'kept') this.#heardAt.set(visitor, this.now);
    if (result.outcome !== 'kept') this.#expected.delete(visitor);
    else if (known?.state === 'waiting')
      known.until = this.now + Math.min(this.line.settings.disconnectGraceMs, this.line.settings.seenTtlMs);
  }

  #keepSilence({ seconds, present }: { seconds: number; present: number[] }): void {
    for (let second = 0; second < seconds; second += 1) {
      this.now += 1_000;
      for (const each of present) this.#look(`v${each}`);
      const before = this.#sight();
      this.#tick(before);
      this.#checkCapacity(before);
      this.#checkOrder(before);
    }
  }

  #tick(before: Sight): void {
    if (this.now - this.#lastTickAt > LONGEST_GAP_MS) this.#tickingFrom = this.now;
    this.#lastTickAt = this.now;
    const { admitted } = tick(this.line, this.now);
    for (const place of admitted) {
      this.#checkNobodyOvertaken(place);
      expect(this.#quietMs(place.visitor), 'a visitor who is not there was admitted (5)').toBeLessThan(AWAY_AFTER_MS);
    }
    const { settings } = this.line;
    const phase = phaseAt(settings, this.now);
    for (const place of [...this.line.admitted, ...this.line.active]) {
      expect(place.expiresAt, 'expired slots are free after a tick (4)').toBeGreaterThan(this.now);
    }
    for (const { visitor, number } of admitted) {
      expect(before.states.get(visitor)?.state, 'only waiting visitors are admitted').toBe('waiting');
      this.#expected.set(visitor, { number, state: 'admitted', activeAt: 0, until: this.#untoldEnd(), isUntold: true });
    }
    expect(admitted.length).toBeLessThanOrEqual(settings.admitPerSecond === undefined ? settings.batchSize : 4);
    if (phase !== 'open') expect(admitted).toEqual([]);
    const heads = [this.line.waiting.head(), this.line.priority.head()];
    const isTooEarly = heads.some((head) => head !== undefined && this.now < head.joinedAt + settings.minWaitMs);
    const isHeldBack =
      phase !== 'open' ||
      (settings.admission === 'claim' && (this.line.admitted.size >= settings.claimWindow || isTooEarly)) ||
      settings.admitPerSecond !== undefined ||
      admitted.length === settings.batchSize ||
      countInside(this.line) >= settings.maxActive;
    if (isHeldBack) return;
    expect(countInLine(this.line), 'a free slot goes to a waiting visitor (5)').toBe(0);
    for (const { visitor, state } of this.line.places.values()) {
      if (state === 'waiting')
        expect(this.#unheardMs(visitor), 'a present visitor waits (5)').not.toBeLessThan(PRESENT_MS);
    }
  }

  /** Nobody who waits with a smaller number in the same lane is present (2). */
  #checkNobodyOvertaken({ visitor, number, lane }: Place): void {
    for (const other of this.line.places.values()) {
      if (other.state !== 'waiting' || other.lane !== lane || other.number > number) continue;
      expect(this.#unheardMs(other.visitor), `${visitor} overtook ${other.visitor} (2)`).not.toBeLessThan(PRESENT_MS);
    }
  }

  #unheardMs(visitor: string): number {
    return this.now - this.#heardAt.get(visitor)!;
  }

  /** The same, as far as admission could have noticed it. */
  #quietMs(visitor: string): number {
    return this.now - Math.max(this.#heardAt.get(visitor)!, this.#tickingFrom);
  }

  #restart(): void {
    const { credit } = this.line;
    const before = this.#sight();
    const [line] = [...this.#replay.finish(this.#defaults, TICK_MS, this.now)];
    this.line = line!;
    this.#journal();
    expect(this.#sight(), 'a restart loses nothing').toEqual(before);
    this.#lastTickAt = Number.NEGATIVE_INFINITY;
    for (const visitor of this.line.places.keys()) this.#heardAt.set(visitor, this.now);
    expect(this.line.credit, 'a restart keeps the credit of the lanes').toBe(credit);
    const largest = Math.max(0, ...this.#numbersGiven);
    expect(this.line.nextNumber, 'numbers continue after a restart (3)').toBeGreaterThan(largest);
    const { seenTtlMs } = this.line.settings;
    for (const [visitor, known] of this.#expected) {
      if (!this.line.places.has(visitor)) this.#expected.delete(visitor);
      else if (known.state === 'waiting') known.until = this.now + seenTtlMs;
      else if (known.state === 'admitted')
        Object.assign(known, { until: Math.max(known.until, this.#claimEnd()), isUntold: true });
      else known.until = Math.max(known.until, this.#sessionEnd(known.activeAt));
    }
  }

  #configure(overrides: RoomOverrides): void {
    configure(this.line, this.#defaults, { ...this.line.overrides, ...overrides });
    this.#replay.apply(toRoomRecord(this.line));
  }

  /**
   * Being seen keeps a waiting visitor in line, activates an admitted one (except in a claim room), and extends a
   * session within its cap.
   */
  #noteSeen(visitor: string, { number, state }: Place): void {
    this.#heardAt.set(visitor, this.now);
    const known = this.#expected.get(visitor);
    const isSame = known?.number === number;
    if (state === 'waiting') {
      const until = this.now + this.line.settings.seenTtlMs;
      this.#expected.set(visitor, { number, state, activeAt: 0, until });
      return;
    }
    if (state === 'admitted') {
      expect(this.line.settings.admission, 'an admitted visitor who was seen is active').toBe('claim');
      if (isSame) this.#noteTold(visitor);
      else this.#expected.set(visitor, { number, state, activeAt: 0, until: this.#claimEnd() });
      return;
    }
    const activeAt = isSame && known.state === 'active' ? known.activeAt : this.now;
    const before = isSame && known.state === 'active' ? known.until : 0;
    this.#expected.set(visitor, { number, state, activeAt, until: Math.max(before, this.#sessionEnd(activeAt)) });
  }

  /** The time to enter starts when the visitor is told, once. */
  #noteTold(visitor: string): void {
    const known = this.#expected.get(visitor);
    if (known?.isUntold) Object.assign(known, { until: this.#claimEnd(), isUntold: false });
  }

  #claimEnd(): number {
    return this.now + this.line.settings.claimTtlMs;
  }

  #untoldEnd(): number {
    const { admission, seenTtlMs } = this.line.settings;
    return Math.max(this.#claimEnd(), admission === 'claim' ? this.now + Math.min(seenTtlMs, UNTOLD_MS) : 0);
  }

  #sessionEnd(activeAt: number): number {
    const { renew, activeTtlMs, activeMaxTtlMs } = this.line.settings;
    return Math.min((renew ? this.now : activeAt) + activeTtlMs, activeAt + activeMaxTtlMs);
  }

  /** The expectation of a visitor whose place has not expired. */
  #sure(visitor: string): Expected | undefined {
    const known = this.#expected.get(visitor);
    return known !== undefined && this.now < known.until ? known : undefined;
  }

  #journal(): void {
    // Serialised at once, as the store does, because the place keeps changing.
    this.line.onChange = (change) => this.#replay.apply(JSON.parse(createChangeEncoder('e')(change)));
  }

  #checkCapacity(before: Sight): void {
    const inside = countInside(this.line);
    const bound = Math.max(this.line.settings.maxActive, before.inside);
    expect(inside, 'admitted + active exceed the limit (1)').toBeLessThanOrEqual(bound);
    const { admission, claimWindow } = this.line.settings;
    if (admission === 'auto') return;
    const window = Math.max(claimWindow, before.admitted);
    expect(this.line.admitted.size, 'ready visitors exceed the claim window').toBeLessThanOrEqual(window);
  }

  #checkOrder(before: Sight): void {
    for (const place of this.line.places.values()) {
      const head = orderOf(this.line, place.lane).head()?.number ?? Number.POSITIVE_INFINITY;
      const isNewlyIn =
        place.state !== 'waiting' && (before.states.get(place.visitor)?.state ?? 'waiting') === 'waiting';
      if (isNewlyIn) expect(place.number, 'a visitor overtook the head of their lane (2)').toBeLessThan(head);
    }
  }

  /** Every place is in exactly the set of its state, and no set has any other (3, 4). */
  #checkSets(): void {
    const { places, lobby, away, admitted, active } = this.line;
    expect(lobby.size + countInLine(this.line) + away.size + admitted.size + active.size).toBe(places.size);
    for (const place of places.values()) {
      const isThere =
        place.state === 'admitted' || place.state === 'active'
          ? this.line[place.state].has(place)
          : setOf(this.line, place).get(place.number) === place;
      expect(isThere, `${place.visitor} is ${place.state} but not in that set`).toBe(true);
    }
  }

  #checkNobodyVanished(): void {
    for (const visitor of this.#expected.keys()) {
      const { number, state } = this.#sure(visitor) ?? {};
      if (number === undefined) continue;
      const place = this.line.places.get(visitor);
      expect(place, `${visitor} lost place ${number} before its time`).toMatchObject({ number, state });
    }
  }

  #sight(): Sight {
    const states = [...this.line.places.values()].map(({ visitor, number, state, lane, isAway }): [string, Seen] => [
      visitor,
      { number, state, lane, isAway },
    ]);
    const { size: admitted } = this.line.admitted;
    return { inside: countInside(this.line), admitted, states: new Map(states.sort(([a], [b]) => (a < b ? -1 : 1))) };
  }
}

function setOf(line: Line, { state, lane, isAway }: Place) {
  if (state === 'lobby') return line.lobby;
  return isAway ? line.away : orderOf(line, lane);
}

type Seen = Pick<Place, 'number' | 'state' | 'lane' | 'isAway'>;

interface Sight {
  inside: number;
  admitted: number;
  states: Map<string, Seen>;
}
