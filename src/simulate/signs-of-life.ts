/**
 * When visitors next show that they are there. Everyone in line does so again and again, which in a sale of a million is
 * nearly all that happens; only the tick matters in which it does. So each tick has a list, and no order within it: kept
 * with the other deeds, in order of time, they made an hour with a million take 45 s instead of 13 s.
 */
export interface Presence {
  index: number;
  as: 'waiting' | 'active';
  /** When they will be there no more. */
  until: number;
}

export class SignsOfLife {
  readonly #tickMs: number;
  readonly #byTick = new Map<number, Presence[]>();

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  expect(atMs: number, presence: Presence): void {
    const tick = Math.ceil(atMs / this.#tickMs);
    const expected = this.#byTick.get(tick);
    if (expected === undefined) this.#byTick.set(tick, [presence]);
    else expected.push(presence);
  }

  /** Those of the tick at `now`. */
  takeDue(now: number): readonly Presence[] {
    const tick = now / this.#tickMs;
    const due = this.#byTick.get(tick) ?? [];
    this.#byTick.delete(tick);
    return due;
  }
}
