/**
 * Random histories of a draw room. After every step an observer checks the invariants of docs/reference/line.md. A restart
 * rebuilds the line from the journal.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toLot } from '../../src/line/draw/draw.ts';
import { DrawRunner } from '../../src/line/draw/draw-runner.ts';
import { createDrawSecrets } from '../../src/line/draw/draw-secrets.ts';
import { countInside, createLine, type Line } from '../../src/line/model/line.ts';
import { disconnect } from '../../src/line/rules/disconnect.ts';
import { type JoinWithNumberResult, join, joinWithNumber } from '../../src/line/rules/join.ts';
import { leave } from '../../src/line/rules/leave.ts';
import { look } from '../../src/line/rules/look.ts';
import { keepDraw } from '../../src/line/rules/operate.ts';
import { sweep } from '../../src/line/rules/sweep.ts';
import { tick } from '../../src/line/rules/tick.ts';
import { createChangeEncoder, LineReplay, toRoomRecord } from '../../src/line/store/memory/journal-records.ts';
import { createMemoryDrawBook } from '../../src/line/store/memory/memory-draw-book.ts';
import { recomputeDraw } from '../support/recompute-draw.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { thorough } from '../support/thorough.ts';

const HISTORIES = 500 * thorough;
const OPENS_IN_MS = 8_000;

type Step =
  | { do: 'exchange'; who: number; number: number }
  | { do: 'join' | 'look' | 'leave' | 'disconnect'; who: number }
  | { do: 'tick' | 'sweep' | 'restart' | 'draw' }
  | { do: 'pass'; ms: number };

const who = fc.integer({ min: 0, max: 7 });
const visit = (name: 'join' | 'look' | 'leave' | 'disconnect') => fc.record({ do: fc.constant(name), who });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: visit('join') },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('exchange' as const), who, number: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 4, arbitrary: visit('look') },
  { weight: 2, arbitrary: visit('leave') },
  { weight: 1, arbitrary: visit('disconnect') },
  { weight: 5, arbitrary: fc.constant<Step>({ do: 'tick' }) },
  { weight: 6, arbitrary: fc.constant<Step>({ do: 'draw' }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'sweep' }, { do: 'restart' }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 400, 1_000, 4_000) }) },
);
const setting = fc.record({
  maxActive: fc.integer({ min: 0, max: 3 }),
  batchSize: fc.integer({ min: 1, max: 3 }),
  disconnectGraceMs: fc.constantFrom(0, 2_000),
});

it(
  `a draw room keeps invariants 1-5 over ${HISTORIES.toLocaleString('en')} random histories`,
  async () => {
    await fc.assert(
      fc.asyncProperty(setting, fc.array(step, { minLength: 10, maxLength: 70 }), async (settings, steps) => {
        const observer = new Observer(settings);
        for (const each of steps) await observer.take(each);
      }),
      { numRuns: HISTORIES },
    );
  },
  240_000 * thorough,
);

class Observer {
  now = Date.UTC(2026, 0, 1);
  line: Line;
  #draws!: DrawRunner;
  readonly #defaults;
  readonly #replay = new LineReplay();
  /** The owner of each number: nobody else may get it. */
  readonly #owners = new Map<number, string>();
  readonly #seenAt = new Map<string, number>();
  /** Visitors in the lobby and not silent when the draw began, minus those who left or went silent since. */
  #present: Set<string> | undefined;

  constructor(settings: { maxActive: number; batchSize: number; disconnectGraceMs: number }) {
    const opensAt = new Date(this.now + OPENS_IN_MS).toISOString();
    this.#defaults = testRoomDefaults({ seenTtlMs: 10_000, claimTtlMs: 3_000, activeTtlMs: 5_000, ...settings });
    const overrides = { order: 'draw' as const, opensAt };
    this.line = createLine({ eventId: 'e', epoch: 'x', defaults: this.#defaults, overrides, tickMs: 1_000 });
    this.#replay.apply(toRoomRecord(this.line));
    this.#adopt(this.line);
    keepDraw(this.line, createDrawSecrets);
  }

  async take(step: Step): Promise<void> {
    const head = this.line.waiting.head()?.number ?? Number.POSITIVE_INFINITY;
    const before = { lobby: this.#presentInLobby(), phase: this.#phase, inside: new Set(this.#insideNow()) };
    await this.#perform(step);
    if (before.phase === 'announced' && this.#phase !== 'announced') this.#present = before.lobby;
    this.#checkNumbers();
    this.#checkInside(before, head);
    if (this.#phase === 'drawn') this.#checkLots();
  }

  async #perform(step: Step): Promise<void> {
    switch (step.do) {
      case 'join':
        return this.#join(`v${step.who}`, (visitor) => join(this.line, visitor, this.now));
      case 'exchange':
        return this.#join(`v${step.who}`, (visitor) =>
          joinWithNumber(this.line, { visitor, number: step.number }, this.now),
        );
      case 'look':
        if (look(this.line, `v${step.who}`, this.now) !== undefined) this.#seenAt.set(`v${step.who}`, this.now);
        return;
      case 'leave':
        leave(this.line, `v${step.who}`, this.now);
        this.#present?.delete(`v${step.who}`);
        return;
      case 'disconnect':
        disconnect(this.line, `v${step.who}`, this.now);
        this.#seenAt.delete(`v${step.who}`);
        this.#present?.delete(`v${step.who}`);
        return;
      case 'tick':
        tick(this.line, this.now);
        return;
      case 'sweep':
        sweep(this.line, this.now);
        return;
      case 'draw':
        await this.#draws.step('e');
        return;
      case 'restart':
        return this.#restart();
      case 'pass':
        this.now += step.ms;
        // A visitor who may be silent by now can be removed at any time.
        for (const visitor of this.#present ?? []) if (!this.#isSurelyThere(visitor)) this.#present!.delete(visitor);
    }
  }

  #join(visitor: string, joinBy: (visitor: string) => JoinWithNumberResult): void {
    const phase = this.#phase;
    const result = joinBy(visitor);
    if (result.outcome === 'used') return;
    if (!('place' in result)) throw new Error(`expected a place, got ${result.outcome}`);
    const { place } = result;
    this.#seenAt.set(visitor, this.now);
    if (result.outcome === 'joined' && phase === 'announced' && this.#phase === 'announced') {
      expect(place.state, 'before opening a visitor joins the lobby').toBe('lobby');
    } else if (result.outcome === 'joined') {
      const { firstNumber, size } = this.line.draw!;
      expect(place.number, 'later visitors are behind the drawn numbers (2)').toBeGreaterThanOrEqual(
        firstNumber + size,
      );
    }
    expect(join(this.line, visitor, this.now)).toEqual({ outcome: 'already', place });
  }

  #restart(): void {
    const places = (line: Line) =>
      [...line.places.values()].map(({ visitor, number, state }) => `${visitor} ${state} ${number}`).sort();
    const [line] = [...this.#replay.finish(this.#defaults, 1_000, this.now)];
    expect(places(line!), 'a restart loses nothing').toEqual(places(this.line));
    expect(line!.nextNumber, 'numbers continue after a restart (3)').toBe(this.line.nextNumber);
    expect(line!.draw?.seed).toBe(this.line.draw?.seed);
    expect(line!.draw?.phase).toBe(this.#phase);
    this.#adopt(line!);
    for (const visitor of line!.places.keys()) this.#seenAt.set(visitor, this.now);
  }

  #adopt(line: Line): void {
    line.onChange = (change) => this.#replay.apply(JSON.parse(createChangeEncoder('e')(change)));
    this.line = line;
    this.#draws = new DrawRunner(createMemoryDrawBook(() => this.line, { now: () => this.now }));
  }

  get #phase() {
    return this.line.draw!.phase;
  }

  #isSurelyThere(visitor: string): boolean {
    return (this.#seenAt.get(visitor) ?? Number.NEGATIVE_INFINITY) + this.line.settings.seenTtlMs > this.now;
  }

  #presentInLobby(): Set<string> {
    const places = [...this.line.places.values()].filter(({ state }) => state === 'lobby');
    return new Set(places.map(({ visitor }) => visitor).filter((visitor) => this.#isSurelyThere(visitor)));
  }

  #insideNow(): string[] {
    return [...this.line.admitted, ...this.line.active].map(({ visitor }) => visitor);
  }

  /** Every place is in exactly the set of its state, and no number ever had two owners (3, 4). */
  #checkNumbers(): void {
    const { places, lobby, waiting, admitted, active } = this.line;
    expect(lobby.size + waiting.size + admitted.size + active.size).toBe(places.size);
    for (const place of places.values()) {
      if (place.state === 'lobby') expect(lobby.get(place.number)).toBe(place);
      if (place.state === 'lobby') continue;
      expect(this.#owners.get(place.number) ?? place.visitor, `number ${place.number} (3)`).toBe(place.visitor);
      this.#owners.set(place.number, place.visitor);
    }
  }

  #checkInside(before: { inside: Set<string> }, head: number): void {
    const { settings, admitted, active } = this.line;
    expect(countInside(this.line), 'capacity (1)').toBeLessThanOrEqual(settings.maxActive);
    if (this.#phase !== 'drawn') expect(countInside(this.line), 'nobody is admitted before the draw is done').toBe(0);
    const entered = [...admitted, ...active].filter(({ visitor }) => !before.inside.has(visitor));
    const nowHead = this.line.waiting.head()?.number ?? Number.POSITIVE_INFINITY;
    for (const { number } of entered) {
      expect(number, 'a visitor overtook the head of the line (2)').toBeLessThan(nowHead);
      expect(number, 'admission starts at the head (2)').toBeGreaterThanOrEqual(Math.min(head, number));
    }
  }

  /** Every visitor who was present at opening and stayed has the number that the published seed gives. */
  #checkLots(): void {
    const { draw, places, lobby } = this.line;
    expect(lobby.size, 'nobody is left in the lobby').toBe(0);
    const lots = draw!.entries.toString('hex').match(/.{32}/g) ?? [];
    const numbers = recomputeDraw(draw!, lots);
    for (const visitor of this.#present ?? []) {
      const number = numbers.get(toLot(draw!.lotKey, visitor));
      expect(number, `${visitor} was there and is on the list`).toBeDefined();
      const place = places.get(visitor);
      if (place?.state === 'waiting') expect(place.number).toBe(number);
      if (place === undefined) this.#present!.delete(visitor);
    }
  }
}
