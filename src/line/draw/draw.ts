/**
 * The published rule of a draw: computes lots, the commitment, the list hash and the order of the lots. Anyone who
 * has the seed and the list gets the same order; docs/explanation/draw.md explains the rule.
 *
 * Long computations are generators that yield between slices, so the caller can serve other requests in between.
 */
import { createHash, hash } from 'node:crypto';
import { LOT_BYTES } from '../model/draw-state.ts';
import { sortInSlices } from './sort-in-slices.ts';

/** Part of every published draw: the result can be checked without reading this program. */
export const DRAW_RULE =
  'commitment = SHA-256(seed). Lots are 32 lower-case hex digits. ' +
  'listHash = SHA-256 of all lots in ascending order, each followed by a line feed. ' +
  'drawKey = SHA-256(seed, listHash), both as 32 bytes. orderKey(lot) = SHA-256(drawKey, lot as ASCII text). ' +
  'Lots are ordered by orderKey, then by lot; the first gets firstNumber, each next one the number after it.';

/** Items between two yields: about 2 ms of hashing, or of the cheaper loops. */
const SLICE = 2_000;
const QUICK_SLICE = 10_000;
/** Block size of SHA-256. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const LOT_DIGITS = 2 * LOT_BYTES;
const LINE_FEED = 10;
const DIGITS = Buffer.from('0123456789abcdef');

/** One per draw, by lot key. */
const makers = new Map<string, (visitor: string) => string>();
const MOST_MAKERS = 100;
/** In UTF-16 code units. Longer names work too, only slower. */
const USUAL_NAME_LENGTH = 128;

export function toCommitment(seed: string): string {
  return hash('sha256', Buffer.from(seed, 'hex'), 'hex');
}

/** The visitor's pseudonym in the draw: the same on every visit, and it does not reveal who they are. */
export function toLot(lotKey: string, visitor: string): string {
  const makeLot = makers.get(lotKey) ?? createLotMaker(lotKey);
  if (makers.size >= MOST_MAKERS) makers.clear();
  makers.set(lotKey, makeLot);
  return makeLot(visitor);
}

export interface SortedLots {
  /** In ascending order. */
  sorted: Buffer;
  /** For each sorted lot its index in the input. */
  order: Uint32Array;
}

/** `lots`: LOT_BYTES bytes each, concatenated. */
export function* sortLots(lots: Buffer): Generator<void, SortedLots> {
  const count = lots.length / LOT_BYTES;
  const heads = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    heads[index] = headAt(lots, index);
    if (index % QUICK_SLICE === 0) yield;
  }
  const order = yield* sortInSlices(heads, (a, b) => compareLots(lots, a, b));
  const sorted = Buffer.alloc(lots.length);
  for (let to = 0; to < count; to += 1) {
    const from = order[to]! * LOT_BYTES;
    for (let byte = 0; byte < LOT_BYTES; byte += 1) sorted[to * LOT_BYTES + byte] = lots[from + byte]!;
    if (to % QUICK_SLICE === 0) yield;
  }
  return { sorted, order };
}

export interface DrawnOrder {
  listHash: string;
  /** For each lot of the sorted list its position in the drawn order; 1 is first. */
  places: Uint32Array;
}

/** The draw itself. `sorted`: the lots in ascending order. */
export function* orderLots(seed: string, sorted: Buffer): Generator<void, DrawnOrder> {
  const count = sorted.length / LOT_BYTES;
  const listHash = yield* hashList(sorted);
  const orderKeyOf = createOrderKeys(seed, listHash, sorted);
  // The first 48 bits of an order key fit a number; the rest is compared only where two keys share them.
  const heads = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    heads[index] = Number.parseInt(orderKeyOf(index).slice(0, 12), 16);
    if (index % SLICE === 0) yield;
  }
  const order = yield* sortInSlices(heads, (a, b) => compareTexts(orderKeyOf(a), orderKeyOf(b)) || a - b);
  const places = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) {
    places[order[index]!] = index + 1;
    if (index % QUICK_SLICE === 0) yield;
  }
  return { listHash, places };
}

/** The index of a lot in the sorted list; undefined if it is not on it. */
export function findLot(sorted: Buffer, lot: string): number | undefined {
  const wanted = Buffer.from(lot, 'hex');
  const head = headAt(wanted, 0);
  let low = 0;
  let high = sorted.length / LOT_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    const from = middle * LOT_BYTES;
    const order = head - headAt(sorted, middle) || wanted.compare(sorted, from, from + LOT_BYTES);
    if (order === 0) return middle;
    if (order > 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/** Runs sliced work to its end without a pause, for callers that serve nobody else. */
export function finishAtOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

export function lotAt(sorted: Buffer, index: number): string {
  return sorted.toString('hex', index * LOT_BYTES, (index + 1) * LOT_BYTES);
}

/** The published form of the list: one lot per line. */
export function toLines(lots: Buffer): Buffer {
  const count = lots.length / LOT_BYTES;
  const lines = Buffer.alloc(count * (LOT_DIGITS + 1), LINE_FEED);
  for (let index = 0; index < count; index += 1) writeDigits(lots, index, lines, index * (LOT_DIGITS + 1));
  return lines;
}

/**
 * HMAC-SHA256 as two one-shot hashes over reused buffers. `createHmac` allocates a native object per call; for a crowd
 * that costs more than the hashing, and so does a new buffer per visitor.
 */
function createLotMaker(lotKey: string): (visitor: string) => string {
  const key = Buffer.alloc(BLOCK_BYTES);
  key.write(lotKey, 'hex');
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
    return hash('sha256', outer, 'hex').slice(0, LOT_DIGITS);
  };
}

function* hashList(sorted: Buffer): Generator<void, string> {
  const listHash = createHash('sha256');
  const step = QUICK_SLICE * LOT_BYTES;
  for (let from = 0; from < sorted.length; from += step) {
    listHash.update(toLines(sorted.subarray(from, from + step)));
    yield;
  }
  return listHash.digest('hex');
}

/** Returns the order key of each lot of the sorted list, in hex. */
function createOrderKeys(seed: string, listHash: string, sorted: Buffer): (index: number) => string {
  const drawKey = hash('sha256', Buffer.from(seed + listHash, 'hex'), 'buffer');
  const input = Buffer.concat([drawKey, Buffer.alloc(LOT_DIGITS)]);
  return (index) => {
    writeDigits(sorted, index, input, DIGEST_BYTES);
    return hash('sha256', input, 'hex');
  };
}

/** Writes a lot as hex digits. Byte by byte: faster here than the native conversion through a string. */
function writeDigits(lots: Buffer, index: number, target: Buffer, at: number): void {
  const from = index * LOT_BYTES;
  for (let i = 0; i < LOT_BYTES; i += 1) {
    const byte = lots[from + i]!;
    target[at + 2 * i] = DIGITS[byte >> 4]!;
    target[at + 2 * i + 1] = DIGITS[byte & 15]!;
  }
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The first 48 bits, which fit a number: almost always enough for a comparison. */
const headAt = (lots: Buffer, index: number): number => lots.readUIntBE(index * LOT_BYTES, 6);

function compareLots(lots: Buffer, a: number, b: number): number {
  const [fromA, fromB] = [a * LOT_BYTES, b * LOT_BYTES];
  return lots.compare(lots, fromB, fromB + LOT_BYTES, fromA, fromA + LOT_BYTES);
}
