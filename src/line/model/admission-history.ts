/**
 * How this line has really moved over the last 15 minutes: who was let in, which slots came free, who gave up, and how
 * long slots and waiters were watched meanwhile. Sums of whole numbers, in slots of five seconds.
 */
export const SLOT_MS = 5_000;
export const WINDOW_SECONDS = [60, 300, 900] as const;
const WINDOW_SLOTS = WINDOW_SECONDS.map((seconds) => (seconds * 1000) / SLOT_MS);
const KEPT_SLOTS = 180;

/** What happened in a stretch of time. Each count stands beside the time in which it could have happened. */
export interface Stretch {
  /** Let in from the line, during `movingMs`: the time in which somebody waited and the room was open. */
  admitted: number;
  movingMs: number;
  /** Slots that came free, whatever the reason, during `slotMs`: the time taken slots were watched, all together. */
  freed: number;
  slotMs: number;
  /** The same time, each ms of it counted as often as its visitor had been inside for seconds. */
  agedMs: number;
  /** Waiters who left or lapsed, during `waiterMs`: the time waiters were watched, all together. */
  departed: number;
  waiterMs: number;
}

export type Windows = [minute: Stretch, fiveMinutes: Stretch, quarterHour: Stretch];

const FIELDS = ['admitted', 'movingMs', 'freed', 'slotMs', 'agedMs', 'departed', 'waiterMs'] as const;

export class AdmissionHistory {
  readonly #sums = new Float64Array(KEPT_SLOTS * FIELDS.length);
  #latest = 0;

  /** What happened since the last record, put down to `now`. */
  record(now: number, stretch: Stretch): void {
    const from = this.#startOf(this.#advanceTo(now));
    FIELDS.forEach((field, i) => {
      this.#sums[from + i]! += stretch[field];
    });
  }

  /** One stretch for each of WINDOW_SECONDS; each window holds the ones before it. */
  windows(now: number): Windows {
    const latest = this.#advanceTo(now);
    const sums: number[] = FIELDS.map(() => 0);
    const windows: Stretch[] = [];
    for (let age = 0; age < KEPT_SLOTS; age += 1) {
      const from = this.#startOf(latest - age);
      for (let i = 0; i < FIELDS.length; i += 1) sums[i]! += this.#sums[from + i]!;
      if (age + 1 === WINDOW_SLOTS[windows.length]) windows.push(toStretch(sums));
    }
    return windows as Windows;
  }

  #startOf(slot: number): number {
    return (slot % KEPT_SLOTS) * FIELDS.length;
  }

  /** Empties the slots between the last one written and `now`, at most all of them. */
  #advanceTo(now: number): number {
    const slot = Math.max(this.#latest, Math.floor(now / SLOT_MS));
    const passed = Math.min(KEPT_SLOTS, slot - this.#latest);
    for (let i = 0; i < passed; i += 1) {
      const from = this.#startOf(slot - i);
      this.#sums.fill(0, from, from + FIELDS.length);
    }
    this.#latest = slot;
    return slot;
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
