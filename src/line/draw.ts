/**
 * The draw as it is published: how a ticket, the commitment, the hash of the list and every lot are computed, and the
 * order that follows. Whoever knows the seed and the list gets the same order; docs/draw.md says it in words.
 *
 * Long work is cut into slices by generators, so that whoever drives them can let others go first.
 */
import { createHash, hash } from 'node:crypto';

import { TICKET_BYTES } from './draw-state.ts';

/** Told with every draw, so that an answer can be checked without knowing this program. */
export const DRAW_RULE =
  'commitment = SHA-256(seed). Tickets are 32 lower-case hex digits. ' +
  'listHash = SHA-256 of all tickets in ascending order, each followed by a line feed. ' +
  'drawKey = SHA-256(seed, listHash), both as 32 bytes. lot(ticket) = SHA-256(drawKey, ticket as ASCII text). ' +
  'Tickets are ordered by lot, then by ticket; the first gets firstNumber, each next one the number after it.';

/** Items handled between two yields: some 5 ms. */
const SLICE = 4_000;
const BUCKETS = 65_536;
/** Of SHA-256. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/** One per draw that is asked about. */
const makers = new Map<string, (visitor: string) => string>();
const MOST_MAKERS = 100;

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

/** Tickets as bytes, one after the other, in ascending order. */
export function* sortTickets(tickets: Buffer): Generator<void, Buffer> {
  const bucketOf = (index: number) => tickets.readUInt16BE(index * TICKET_BYTES);
  const compare = (a: number, b: number) => headAt(tickets, a) - headAt(tickets, b) || compareTickets(tickets, a, b);
  const order = yield* sortInSlices(tickets.length / TICKET_BYTES, bucketOf, compare);
  const sorted = Buffer.alloc(tickets.length);
  for (const [to, from] of order.entries()) {
    tickets.copy(sorted, to * TICKET_BYTES, from * TICKET_BYTES, (from + 1) * TICKET_BYTES);
    if (to % (10 * SLICE) === 0) yield;
  }
  return sorted;
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
  const lotOf = createLots(seed, listHash);
  // 48 bits of a lot fit a number; only where two share them is the rest looked at.
  const heads = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    heads[index] = Number.parseInt(lotOf(ticketAt(sorted, index)).slice(0, 12), 16);
    if (index % SLICE === 0) yield;
  }
  const bucketOf = (index: number) => Math.floor(heads[index]! / 2 ** 32);
  const compare = (a: number, b: number) => heads[a]! - heads[b]! || compareLots(lotOf, sorted, a, b);
  const order = yield* sortInSlices(count, bucketOf, compare);
  const places = new Uint32Array(count);
  for (const [index, of] of order.entries()) places[of] = index + 1;
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
export function toLines(tickets: Buffer): string {
  let lines = '';
  for (let index = 0; index < tickets.length / TICKET_BYTES; index += 1) lines += `${ticketAt(tickets, index)}\n`;
  return lines;
}

/**
 * HMAC-SHA256 as two one-shot hashes: `createHmac` makes an object with a native half for each text, which in a crowd
 * costs as much again as the hashing.
 */
function createTicketMaker(ticketKey: string): (visitor: string) => string {
  const key = Buffer.alloc(BLOCK_BYTES);
  key.write(ticketKey, 'hex');
  const inner = key.map((byte) => byte ^ 0x36);
  const outer = Buffer.concat([key.map((byte) => byte ^ 0x5c), Buffer.alloc(DIGEST_BYTES)]);
  return (visitor) => {
    const digest = hash('sha256', Buffer.concat([inner, Buffer.from(visitor)]), 'hex');
    outer.write(digest, BLOCK_BYTES, 'hex');
    return hash('sha256', outer, 'hex').slice(0, 2 * TICKET_BYTES);
  };
}

function* hashList(sorted: Buffer): Generator<void, string> {
  const listHash = createHash('sha256');
  for (let from = 0; from < sorted.length; from += SLICE * TICKET_BYTES) {
    listHash.update(toLines(sorted.subarray(from, from + SLICE * TICKET_BYTES)));
    yield;
  }
  return listHash.digest('hex');
}

function createLots(seed: string, listHash: string): (ticket: string) => string {
  const drawKey = hash('sha256', Buffer.from(seed + listHash, 'hex'), 'buffer');
  const input = Buffer.concat([drawKey, Buffer.alloc(2 * TICKET_BYTES)]);
  return (ticket) => {
    input.write(ticket, drawKey.length, 'latin1');
    return hash('sha256', input, 'hex');
  };
}

function compareLots(lotOf: (ticket: string) => string, sorted: Buffer, a: number, b: number): number {
  const [lotA, lotB] = [lotOf(ticketAt(sorted, a)), lotOf(ticketAt(sorted, b))];
  if (lotA !== lotB) return lotA < lotB ? -1 : 1;
  return a - b;
}

/** The first 48 bits, which fit a number: nearly always enough to compare by. */
const headAt = (tickets: Buffer, index: number): number => tickets.readUIntBE(index * TICKET_BYTES, 6);

function compareTickets(tickets: Buffer, a: number, b: number): number {
  const [fromA, fromB] = [a * TICKET_BYTES, b * TICKET_BYTES];
  return tickets.compare(tickets, fromB, fromB + TICKET_BYTES, fromA, fromA + TICKET_BYTES);
}

/** The indexes 0 to count - 1 in order: first into buckets by their highest bits, then each small bucket by itself. */
function* sortInSlices(
  count: number,
  bucketOf: (index: number) => number,
  compare: (a: number, b: number) => number,
): Generator<void, Uint32Array> {
  if (count <= SLICE) return Uint32Array.from({ length: count }, (_, index) => index).sort(compare);
  const ends = new Uint32Array(BUCKETS + 1);
  for (let index = 0; index < count; index += 1) ends[bucketOf(index) + 1]! += 1;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) ends[bucket + 1]! += ends[bucket]!;
  yield;
  const next = ends.slice();
  const order = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) {
    const bucket = bucketOf(index);
    order[next[bucket]!] = index;
    next[bucket]! += 1;
  }
  yield;
  let sorted = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const [from, to] = [ends[bucket]!, ends[bucket + 1]!];
    if (to - from > 1) order.subarray(from, to).sort(compare);
    if (to - sorted < SLICE) continue;
    sorted = to;
    yield;
  }
  return order;
}
