/** What the memory store writes to its journal of a draw, and how the draw is built again from it. */
import { finishAtOnce, sortTickets } from '../../draw/draw.ts';
import { createDraw, type Draw, TICKET_BYTES, withoutHoles } from '../../model/draw-state.ts';
import type { Line } from '../../model/line.ts';

/** What is known of a draw without its list, which is written in pieces as it is gathered. */
type DrawFacts = Omit<Draw, 'gatheredTo' | 'count' | 'present' | 'entries'>;
export type DrawRecord = [kind: 'draw', eventId: string, facts: DrawFacts | null];
/** The tickets of the arrivals behind `from`, in base64. */
export type PresentRecord = [kind: 'present', eventId: string, from: number, tickets: string];

/** Of a snapshot, whose slices should not become much larger by them. */
const PRESENT_PER_RECORD = 100;

export function* toDrawRecords(eventId: string, draw: Draw): Generator<DrawRecord | PresentRecord> {
  yield toDrawRecord(eventId, draw);
  for (let from = 0; from < draw.gatheredTo; from += PRESENT_PER_RECORD) {
    yield toPresentRecord(eventId, draw, from, Math.min(draw.gatheredTo, from + PRESENT_PER_RECORD));
  }
}

export function toDrawRecord(eventId: string, draw: Draw | undefined): DrawRecord {
  if (draw === undefined) return ['draw', eventId, null];
  const { gatheredTo: _, count: __, present: ___, entries: ____, ...facts } = draw;
  return ['draw', eventId, facts];
}

export function toPresentRecord(eventId: string, { present }: Draw, from: number, to: number): PresentRecord {
  return ['present', eventId, from, present.toString('base64', from * TICKET_BYTES, to * TICKET_BYTES)];
}

/** The part of a room under replay that concerns its draw. */
interface DrawReplay {
  nextNumber: number;
  draw: Draw | undefined;
}

export function applyDraw(room: DrawReplay, facts: DrawFacts | null): void {
  const { seed, gatheredTo, present } = room.draw ?? {};
  const isSame = facts !== null && seed === facts.seed;
  room.draw = facts === null ? undefined : { ...createDraw(facts), ...facts };
  if (room.draw === undefined) return;
  // A list that was gathered stays, whatever else is told of its draw.
  if (isSame) Object.assign(room.draw, { gatheredTo, present });
  if (room.draw.present.length === 0) room.draw.present = Buffer.alloc(room.draw.lastArrival * TICKET_BYTES);
  room.nextNumber = Math.max(room.nextNumber, room.draw.firstNumber + room.draw.size);
}

export function applyPresent({ draw }: DrawReplay, [, , from, base64]: PresentRecord): void {
  // A snapshot is written slowly and may know of a list whose beginning stands in the journal behind it.
  if (draw === undefined || draw.phase === 'announced') return;
  const tickets = Buffer.from(base64, 'base64');
  tickets.copy(draw.present, from * TICKET_BYTES);
  draw.gatheredTo = Math.max(draw.gatheredTo, from + tickets.length / TICKET_BYTES);
}

export function restoreDraw(line: Line, draw: Draw | undefined): void {
  if (draw === undefined) return;
  line.draw = draw;
  line.nextArrival = draw.lastArrival + 1;
  const tickets = withoutHoles(draw.present);
  draw.count = tickets.length / TICKET_BYTES;
  if (draw.phase === 'drawn') draw.entries = finishAtOnce(sortTickets(tickets)).sorted;
}
