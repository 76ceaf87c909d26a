/** The journal records of a draw, and how they are replayed. */
import { finishAtOnce, sortLots } from '../../draw/draw.ts';
import { createDraw, type Draw, LOT_BYTES, withoutHoles } from '../../model/draw-state.ts';
import type { Line } from '../../model/line.ts';

/** A draw without its list, which is written in pieces as it is gathered. */
type DrawFacts = Omit<Draw, 'gatheredTo' | 'count' | 'present' | 'entries' | 'lotKey'> & {
  /** The lot key, under the name that journals already have on disk. */
  ticketKey: string;
};
export type DrawRecord = [kind: 'draw', eventId: string, facts: DrawFacts | null];
/** The lots of the arrivals behind `from`, in base64. */
export type PresentRecord = [kind: 'present', eventId: string, from: number, lots: string];

/** In a snapshot; bounds the size of its slices. */
const PRESENT_PER_RECORD = 100;

export function* toDrawRecords(eventId: string, draw: Draw): Generator<DrawRecord | PresentRecord> {
  yield toDrawRecord(eventId, draw);
  for (let from = 0; from < draw.gatheredTo; from += PRESENT_PER_RECORD) {
    yield toPresentRecord(eventId, draw, from, Math.min(draw.gatheredTo, from + PRESENT_PER_RECORD));
  }
}

export function toDrawRecord(eventId: string, draw: Draw | undefined): DrawRecord {
  if (draw === undefined) return ['draw', eventId, null];
  const { gatheredTo: _, count: __, present: ___, entries: ____, seed, lotKey, ...facts } = draw;
  return ['draw', eventId, { seed, ticketKey: lotKey, ...facts }];
}

export function toPresentRecord(eventId: string, { present }: Draw, from: number, to: number): PresentRecord {
  return ['present', eventId, from, present.toString('base64', from * LOT_BYTES, to * LOT_BYTES)];
}

/** The part of a replayed room that concerns its draw. */
interface DrawReplay {
  nextNumber: number;
  draw: Draw | undefined;
}

export function applyDraw(room: DrawReplay, facts: DrawFacts | null): void {
  const { seed, gatheredTo, present } = room.draw ?? {};
  const isSame = facts !== null && seed === facts.seed;
  room.draw = facts === null ? undefined : fromFacts(facts);
  if (room.draw === undefined) return;
  // A later record of the same draw keeps the list gathered so far.
  if (isSame) Object.assign(room.draw, { gatheredTo, present });
  if (room.draw.present.length === 0) room.draw.present = Buffer.alloc(room.draw.lastArrival * LOT_BYTES);
  room.nextNumber = Math.max(room.nextNumber, room.draw.firstNumber + room.draw.size);
}

function fromFacts({ ticketKey, ...facts }: DrawFacts): Draw {
  const draw = createDraw({ seed: facts.seed, lotKey: ticketKey });
  return { ...draw, ...facts };
}

export function applyPresent({ draw }: DrawReplay, [, , from, base64]: PresentRecord): void {
  // A snapshot is written slowly: it may contain a list whose beginning comes later in the journal.
  if (draw === undefined || draw.phase === 'announced') return;
  const lots = Buffer.from(base64, 'base64');
  lots.copy(draw.present, from * LOT_BYTES);
  draw.gatheredTo = Math.max(draw.gatheredTo, from + lots.length / LOT_BYTES);
}

export function restoreDraw(line: Line, draw: Draw | undefined): void {
  if (draw === undefined) return;
  line.draw = draw;
  line.nextArrival = draw.lastArrival + 1;
  const lots = withoutHoles(draw.present);
  draw.count = lots.length / LOT_BYTES;
  if (draw.phase === 'drawn') draw.entries = finishAtOnce(sortLots(lots)).sorted;
}
