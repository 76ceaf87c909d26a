/** Bypasses of a gate in its own process, added up until its next call to the line. Bounded. */
import { type BypassNote, OTHERS } from './bypass-log.ts';

/** How many notes one call carries. */
export const MOST_NOTES = 200;

export class BypassCounts {
  #notes = new Map<string, BypassNote>();

  add(note: BypassNote): void {
    const isKnown = this.#notes.has(keyOf(note));
    const counted = isKnown || this.#notes.size < MOST_NOTES - 1 ? note : toOthers(note);
    const before = this.#notes.get(keyOf(counted))?.requests ?? 0;
    this.#notes.set(keyOf(counted), { ...counted, requests: before + note.requests });
  }

  /** Returns what was counted since the last call. */
  take(): BypassNote[] {
    const notes = [...this.#notes.values()];
    this.#notes = new Map();
    return notes;
  }
}

function toOthers(note: BypassNote): BypassNote {
  return { ...note, entry: 'several', eventId: undefined, from: OTHERS };
}

function keyOf({ entry, eventId, from }: BypassNote): string {
  return `${entry} ${eventId ?? ''} ${from}`;
}
