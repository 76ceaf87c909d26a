/**
 * The draw as it is published: how a ticket, the commitment, the hash of the list and every lot are computed, and the
 * order that follows. Whoever knows the seed and the list gets the same order; docs/explanation/draw.md says it in words.
 *
 * Long work is cut into slices by generators, so that whoever drives them can let others go first.
 */
import { createHash, hash } from 'node:crypto';
import { TICKET_BYTES } from '../model/draw-state.ts';
import { sortInSlices } from './sort-in-slices.ts';

/** Told with every draw, so that an answer can be checked without knowing this program. */
export const DRAW_RULE =
  'commitment = SHA-256(seed). Tickets are 32 lower-case hex digits. ' +
  'listHash = SHA-256 of all tickets in ascending order, each followed by a line feed. ' +
  'drawKey = SHA-256(seed, listHash), both as 32 bytes. lot(ticket) = SHA-256(drawKey, ticket as ASCII text). ' +
  'Tickets are ordered by lot, then by ticket; the first gets firstNumber, each next one the number after it.';

/** Items handled between two yields: some 2 ms of hashing, or of anything quicker. */
const SLICE = 2_000;
const QUICK_SLICE = 10_000;
/** Of SHA-256. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const TICKET_DIGITS = 2 * TICKET_BYTES;
const LINE_FEED = 10;
const DIGITS = Buffer.from('0123456789abcdef');

/** One per draw that is asked about. */
const makers = new Map<string, (visitor: string) => string>();
const MOST_MAKERS = 100;
/** In UTF-16; longer names are as good, but slower. */
const USUAL_NAME_LENGTH = 128;

export function toCommitment(seed: string): string {
  return hash('sha256', Buffer.from(seed, 'hex'), 'hex');
}

/** The pseudonym by which a visitor takes part: the same each time they come, and tells nobody who they are. */
export function toTicket(ticketKey: string, visitor: string): string {
  const makeTicket = makers.get(ticketKey) ?? createTicketMaker(ticketKey);
  if (makers.size >= MOST_MAKERS) makers.clear();
  makers.set(ticketKey, makeTicket);
  return makeTicket(visitor);
}

export interface SortedTickets {
  /** In ascending order. */
  sorted: Buffer;
  /** Which of the tickets given each of them is, from 0. */
  order: Uint32Array;
}

/** `tickets`: as bytes, one after the other. */
export function* sortTickets(tickets: Buffer): Generator<void, SortedTickets> {
  const count = tickets.length / TICKET_BYTES;
  const heads = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    heads[index] = headAt(tickets, index);
    if (index % QUICK_SLICE === 0) yield;
  }
  const order = yield* sortInSlices(heads, (a, b) => compareTickets(tickets, a, b));
  const sorted = Buffer.alloc(tickets.length);
  for (let to = 0; to < count; to += 1) {
    const from = order[to]! * TICKET_BYTES;
    for (let byte = 0; byte < TICKET_BYTES; byte += 1) sorted[to * TICKET_BYTES + byte] = tickets[from + byte]!;
    if (to % QUICK_SLICE === 0) yield;
  }
  return { sorted, order };
}

export interface Lots {
  listHash: string;
  /** For each ticket of the sorted list its place in the drawn order; 1 is first. */
  places: Uint32Array;
}

/** Draws: `sorted` are the tickets in ascending order. */
export function* castLots(seed: string, sorted: Buffer): Generator<void, Lots> {
  const count = sorted.length / TICKET_BYTES;
  const listHash = yield* hashList(sorted);
  const lotOf = createLots(seed, listHash, sorted);
  // 48 bits of a lot fit a number; only where two share them is the rest looked at.
  const heads = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    heads[index] = Number.parseInt(lotOf(index).slice(0, 12), 16);
    if (index % SLICE === 0) yield;
  }
  const order = yield* sortInSlices(heads, (a, b) => compareTexts(lotOf(a), lotOf(b)) || a - b);
  const places = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) {
    places[order[index]!] = index + 1;
    if (index % QUICK_SLICE === 0) yield;
  }
  return { listHash, places };
}

/** The place of a ticket in the sorted list, from 0; undefined if it is not there. */
export function findTicket(sorted: Buffer, ticket: string): number | undefined {
  const wanted = Buffer.from(ticket, 'hex');
  const head = headAt(wanted, 0);
  let low = 0;
  let high = sorted.length / TICKET_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    const from = middle * TICKET_BYTES;
    const order = head - headAt(sorted, middle) || wanted.compare(sorted, from, from + TICKET_BYTES);
    if (order === 0) return middle;
    if (order > 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/** Runs sliced work to its end at once, for whoever has nobody to let go first. */
export function finishAtOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

export function ticketAt(sorted: Buffer, index: number): string {
  return sorted.toString('hex', index * TICKET_BYTES, (index + 1) * TICKET_BYTES);
}

/** The list as it is published: one ticket a line. */
export function toLines(tickets: Buffer): Buffer {
  const count = tickets.length / TICKET_BYTES;
  const lines = Buffer.alloc(count * (TICKET_DIGITS + 1), LINE_FEED);
  for (let index = 0; index < count; index += 1) writeDigits(tickets, index, lines, index * (TICKET_DIGITS + 1));
  return lines;
}

/**
 * HMAC-SHA256 as two one-shot hashes over bytes that stay where they are: `createHmac` makes an object with a native half
 * for each text, and a buffer for each text is no better; in a crowd either costs more than the hashing.
 */
function createTicketMaker(ticketKey: string): (visitor: string) => string {
  const key = Buffer.alloc(BLOCK_BYTES);
  key.write(ticketKey, 'hex');
  const inner = Buffer.concat([key.map((byte) => byte ^ 0x36), Buffer.alloc(3 * USUAL_NAME_LENGTH)]);
  const outer = Buffer.concat([key.map((byte) => byte ^ 0x5c), Buffer.alloc(DIGEST_BYTES)]);
  const innerOfLength: Buffer[] = [];
  function innerOf(visitor: string): Buffer {
    if (visitor.length > USUAL_NAME_LENGTH) {
      return Buffer.concat([inner.subarray(0, BLOCK_BYTES), Buffer.from(visitor)]);
    }
    const length = inner.write(visitor, BLOCK_BYTES);
    innerOfLength[length] ??= inner.subarray(0, BLOCK_BYTES + length);
    return innerOfLength[length];
  }
  return (visitor) => {
    outer.write(hash('sha256', innerOf(visitor), 'hex'), BLOCK_BYTES, 'hex');
    return hash('sha256', outer, 'hex').slice(0, TICKET_DIGITS);
  };
}

function* hashList(sorted: Buffer): Generator<void, string> {
  const listHash = createHash('sha256');
  const step = QUICK_SLICE * TICKET_BYTES;
  for (let from = 0; from < sorted.length; from += step) {
    listHash.update(toLines(sorted.subarray(from, from + step)));
    yield;
  }
  return listHash.digest('hex');
}

/** The lot of each ticket of the sorted list, in hex. */
function createLots(seed: string, listHash: string, sorted: Buffer): (index: number) => string {
  const drawKey = hash('sha256', Buffer.from(seed + listHash, 'hex'), 'buffer');
  const input = Buffer.concat([drawKey, Buffer.alloc(TICKET_DIGITS)]);
  return (index) => {
    writeDigits(sorted, index, input, DIGEST_BYTES);
    return hash('sha256', input, 'hex');
  };
}

/** A ticket as text. Byte by byte, which is quicker here than the native way by a string. */
function writeDigits(tickets: Buffer, index: number, target: Buffer, at: number): void {
  const from = index * TICKET_BYTES;
  for (let i = 0; i < TICKET_BYTES; i += 1) {
    const byte = tickets[from + i]!;
    target[at + 2 * i] = DIGITS[byte >> 4]!;
    target[at + 2 * i + 1] = DIGITS[byte & 15]!;
  }
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The first 48 bits, which fit a number: nearly always enough to compare by. */
const headAt = (tickets: Buffer, index: number): number => tickets.readUIntBE(index * TICKET_BYTES, 6);

function compareTickets(tickets: Buffer, a: number, b: number): number {
  const [fromA, fromB] = [a * TICKET_BYTES, b * TICKET_BYTES];
  return tickets.compare(tickets, fromB, fromB + TICKET_BYTES, fromA, fromA + TICKET_BYTES);
}
