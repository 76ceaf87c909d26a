/**
 * Counts what happened in a line over the last 15 minutes: admissions, freed slots, departures, and how long slots and
 * waiting visitors were observed. Integer sums in bins of five seconds.
 */
export const BIN_MS = 5_000;
export const WINDOW_SECONDS = [60, 300, 900] as const;
const WINDOW_BINS = WINDOW_SECONDS.map((seconds) => (seconds * 1000) / BIN_MS);
const KEPT_BINS = 180;

/** What happened in a stretch of time. Each count has the time in which it could have happened next to it. */
export interface Stretch {
  /** Admissions from the line during `movingMs`: the time in which somebody waited and the room was open. */
  admitted: number;
  movingMs: number;
  /** Slots that came free for any reason during `slotMs`: the observed time, summed over occupied slots. */
  freed: number;
  slotMs: number;
  /** `slotMs` with every ms weighted by the seconds that its visitor had been inside. */
  agedMs: number;
  /** Waiting visitors who left, lapsed or were passed over, less those who came back, during `waiterMs`: the observed time, summed over those waiting. */
  departed: number;
  waiterMs: number;
}

export type Windows = [minute: Stretch, fiveMinutes: Stretch, quarterHour: Stretch];

const FIELDS = ['admitted', 'movingMs', 'freed', 'slotMs', 'agedMs', 'departed', 'waiterMs'] as const;

export class AdmissionHistory {
  readonly #sums = new Float64Array(KEPT_BINS * FIELDS.length);
  #latest = 0;

  /** Adds what happened since the last call, all of it at `now`. */
  record(now: number, stretch: Stretch): void {
    const from = this.#startOf(this.#advanceTo(now));
    FIELDS.forEach((field, i) => {
      this.#sums[from + i]! += stretch[field];
    });
  }

  /** One stretch for each of WINDOW_SECONDS; each window includes the shorter ones. */
  windows(now: number): Windows {
    const latest = this.#advanceTo(now);
    const sums: number[] = FIELDS.map(() => 0);
    const windows: Stretch[] = [];
    for (let age = 0; age < KEPT_BINS; age += 1) {
      const from = this.#startOf(latest - age);
      for (let i = 0; i < FIELDS.length; i += 1) sums[i]! += this.#sums[from + i]!;
      if (age + 1 === WINDOW_BINS[windows.length]) windows.push(toStretch(sums));
    }
    return windows as Windows;
  }

  #startOf(bin: number): number {
    return (bin % KEPT_BINS) * FIELDS.length;
  }

  /** Clears the bins between the last one written and `now`. */
  #advanceTo(now: number): number {
    const bin = Math.max(this.#latest, Math.floor(now / BIN_MS));
    const passed = Math.min(KEPT_BINS, bin - this.#latest);
    for (let i = 0; i < passed; i += 1) {
      const from = this.#startOf(bin - i);
      this.#sums.fill(0, from, from + FIELDS.length);
    }
    this.#latest = bin;
    return bin;
  }
}

function toStretch([admitted, movingMs, freed, slotMs, agedMs, departed, waiterMs]: number[]): Stretch {
  return {
    admitted: admitted!,
    movingMs: movingMs!,
    freed: freed!,
    slotMs: slotMs!,
    agedMs: agedMs!,
    departed: departed!,
    waiterMs: waiterMs!,
  };
}
