/**
 * How fast this line has really moved: admissions per second over the last 15 minutes, counting only time in which
 * somebody waited and the room was open. Time in which nobody waited says nothing about how fast the line can move.
 */
const KEPT_SECONDS = 900;

export interface WindowRate {
  /** Admissions in the window. */
  admitted: number;
  /** How much of the window the line was moving in. */
  observedMs: number;
}

export class AdmissionHistory {
  readonly #admitted = new Uint32Array(KEPT_SECONDS);
  readonly #observedMs = new Uint32Array(KEPT_SECONDS);
  #latestSecond = 0;

  /** `admitted` were let in during the `observedMs` before `now`. */
  record(now: number, admitted: number, observedMs: number): void {
    const slot = this.#advanceTo(now) % KEPT_SECONDS;
    this.#admitted[slot]! += admitted;
    this.#observedMs[slot]! += observedMs;
  }

  over(now: number, windowSeconds: number): WindowRate {
    const newest = this.#advanceTo(now);
    const rate = { admitted: 0, observedMs: 0 };
    for (let age = 0; age < Math.min(windowSeconds, KEPT_SECONDS); age += 1) {
      const slot = (newest - age) % KEPT_SECONDS;
      rate.admitted += this.#admitted[slot]!;
      rate.observedMs += this.#observedMs[slot]!;
    }
    return rate;
  }

  /** Empties the slots between the last second written and `now`, at most all of them. */
  #advanceTo(now: number): number {
    const second = Math.max(this.#latestSecond, Math.floor(now / 1000));
    const passed = Math.min(KEPT_SECONDS, second - this.#latestSecond);
    for (let i = 0; i < passed; i += 1) {
      const slot = (second - i) % KEPT_SECONDS;
      this.#admitted[slot] = 0;
      this.#observedMs[slot] = 0;
    }
    this.#latestSecond = second;
    return second;
  }
}
