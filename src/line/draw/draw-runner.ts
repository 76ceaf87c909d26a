/**
 * Computes a draw in bounded steps, one per call, on the state that a store keeps. The first steps fix the list of
 * present visitors. Everything after that follows from the list and the seed: a process that takes over after a crash,
 * or two processes at once, assign the same numbers.
 */

import { type Clock, stopwatch } from '../../platform/clock.ts';
import { type DrawPhase, type DrawSecrets, isHole, LOT_BYTES } from '../model/draw-state.ts';
import { orderLots, sortLots, toLot } from './draw.ts';

export interface DrawProgress extends DrawSecrets {
  phase: DrawPhase;
  firstNumber: number;
  /** The last arrival before the draw began. */
  lastArrival: number;
  /** The list is fixed up to this arrival. */
  gatheredTo: number;
  /** How many lots are on the list. */
  count: number;
  /** The first arrival still in the lobby; undefined once it is empty. */
  firstInLobby: number | undefined;
}

/**
 * The port through which a draw reads and writes its store. A write applies only to the draw with that seed, and may
 * be repeated. Visitors in the lobby are addressed by arrival, counted from 1; `from` and `after` are exclusive.
 */
export interface DrawBook {
  /** Returns the progress, and begins the draw if it is due; undefined if the room has no draw. */
  open(eventId: string): Promise<DrawProgress | undefined>;
  /** The visitor of each arrival, at most `limit`; '' for one who was not present when the draw began. */
  readLobby(eventId: string, after: number, limit: number): Promise<string[]>;
  /** Fixes a part of the list: one lot per arrival, zeros for a visitor who was not present. */
  addPresent(eventId: string, seed: string, chunk: { from: number; lots: Buffer }): Promise<void>;
  /** Reads that back, at most `count` arrivals. */
  readPresent(eventId: string, from: number, count: number): Promise<Buffer>;
  /** Writes a part of the published list; `from` lots come before it. */
  writeEntries(eventId: string, seed: string, from: number, lots: Buffer): Promise<void>;
  /** One number per arrival, 0 for one who is not on the list. Only visitors still in the lobby get theirs. */
  giveNumbers(eventId: string, seed: string, chunk: { from: number; numbers: number[] }): Promise<void>;
  finish(eventId: string, seed: string, listHash: string): Promise<void>;
}

export type DrawStep = 'nothing' | 'drawing' | 'drawn';

/** Sizes that keep every step near 5 ms on every store, so a draw does not delay other requests. */
const GATHERED_PER_CHUNK = 1_000;
const CHUNKS_AT_ONCE = 4;
const NUMBERS_PER_STEP = 500;
const LOTS_PER_STEP = 16_384;
const PLACES_PER_SLICE = 10_000;
const SLICES_PER_STEP = 20;

/** What this process has computed of one draw so far. */
interface Work {
  readonly seed: string;
  /** In order of arrival, without gaps. */
  readonly lots: Buffer;
  /** The arrival of each lot. */
  readonly arrivals: Uint32Array;
  /** Lots are loaded up to this arrival; `loaded` of them. */
  loadedTo: number;
  loaded: number;
  computing: Generator<void, Result> | undefined;
  result: Result | undefined;
  written: number;
  steppedAt: number;
}

/** Longer than any pause between two steps. Another process may finish the draw: then no step says that it is over. */
const UNUSED_MS = 60_000;

interface Result {
  listHash: string;
  /** The list in ascending order. */
  sorted: Buffer;
  /** For each arrival its position in the drawn order; 1 is first, 0 does not take part. */
  places: Uint32Array;
}

export class DrawRunner {
  readonly #book: DrawBook;
  readonly #works = new Map<string, Work>();
  readonly #clock: Clock;

  constructor(book: DrawBook, clock: Clock = stopwatch) {
    this.#book = book;
    this.#clock = clock;
  }

  /** Of how many draws something is in memory. */
  get size(): number {
    return this.#works.size;
  }

  /** Call now and then: drops what was computed of draws that other processes have finished. */
  forgetUnused(): void {
    for (const [eventId, { steppedAt }] of this.#works) {
      if (this.#clock.now() - steppedAt > UNUSED_MS) this.#works.delete(eventId);
    }
  }

  async step(eventId: string): Promise<DrawStep> {
    const progress = await this.#book.open(eventId);
    if (progress?.phase === 'drawing') {
      await this.#advance(eventId, progress);
      return 'drawing';
    }
    this.#works.delete(eventId);
    return progress?.phase === 'drawn' ? 'drawn' : 'nothing';
  }

  async #advance(eventId: string, progress: DrawProgress): Promise<void> {
    const { lastArrival, gatheredTo, count, firstInLobby } = progress;
    if (gatheredTo < lastArrival) return this.#gather(eventId, progress);
    const work = this.#workOf(eventId, progress);
    if (work.loadedTo < lastArrival) return this.#load(eventId, work, lastArrival);
    if (work.result === undefined) return compute(work, lastArrival);
    if (work.written < count) return this.#writeEntries(eventId, work, work.result);
    if (firstInLobby !== undefined) return this.#giveNumbers(eventId, progress, firstInLobby - 1, work.result);
    await this.#book.finish(eventId, progress.seed, work.result.listHash);
  }

  async #gather(eventId: string, { seed, lotKey, gatheredTo }: DrawProgress): Promise<void> {
    // A store that lost its last writes gathers again, and the new list may differ: drop what was computed.
    this.#works.delete(eventId);
    // A remote store reads the next chunks while the lots of the first are computed.
    const chunks = Array.from({ length: CHUNKS_AT_ONCE }, async (_, index) => {
      const after = gatheredTo + index * GATHERED_PER_CHUNK;
      return toLots(lotKey, await this.#book.readLobby(eventId, after, GATHERED_PER_CHUNK));
    });
    const lots = Buffer.concat(await Promise.all(chunks));
    await this.#book.addPresent(eventId, seed, { from: gatheredTo, lots });
  }

  async #load(eventId: string, work: Work, lastArrival: number): Promise<void> {
    const from = work.loadedTo;
    const present = await this.#book.readPresent(eventId, from, Math.min(LOTS_PER_STEP, lastArrival - from));
    // A concurrent step has loaded this chunk already.
    if (work.loadedTo !== from) return;
    for (let index = 0; index < present.length / LOT_BYTES; index += 1) {
      work.loadedTo += 1;
      if (isHole(present, index)) continue;
      present.copy(work.lots, work.loaded * LOT_BYTES, index * LOT_BYTES, (index + 1) * LOT_BYTES);
      work.arrivals[work.loaded] = work.loadedTo;
      work.loaded += 1;
    }
  }

  async #writeEntries(eventId: string, work: Work, { sorted }: Result): Promise<void> {
    const from = work.written;
    const chunk = sorted.subarray(from * LOT_BYTES, (from + LOTS_PER_STEP) * LOT_BYTES);
    await this.#book.writeEntries(eventId, work.seed, from, chunk);
    work.written = from + chunk.length / LOT_BYTES;
  }

  async #giveNumbers(
    eventId: string,
    { seed, firstNumber }: DrawProgress,
    from: number,
    { places }: Result,
  ): Promise<void> {
    if (places[from] === 0)
      throw new Error(`draw of ${eventId}: arrival ${from + 1} is in the lobby but not on the list`);
    const chunk = places.subarray(from, from + NUMBERS_PER_STEP);
    const numbers = Array.from(chunk, (place) => (place === 0 ? 0 : firstNumber + place - 1));
    await this.#book.giveNumbers(eventId, seed, { from, numbers });
  }

  #workOf(eventId: string, { seed, count }: DrawProgress): Work {
    const steppedAt = this.#clock.now();
    const known = this.#works.get(eventId);
    if (known?.seed === seed && known.arrivals.length === count) return Object.assign(known, { steppedAt });
    const work: Work = {
      seed,
      lots: Buffer.alloc(count * LOT_BYTES),
      arrivals: new Uint32Array(count),
      loadedTo: 0,
      loaded: 0,
      computing: undefined,
      result: undefined,
      written: 0,
      steppedAt,
    };
    this.#works.set(eventId, work);
    return work;
  }
}

/** Zeros where the visitor is ''. */
function toLots(lotKey: string, visitors: string[]): Buffer {
  const lots = Buffer.alloc(visitors.length * LOT_BYTES);
  for (const [index, visitor] of visitors.entries()) {
    if (visitor !== '') lots.write(toLot(lotKey, visitor), index * LOT_BYTES, 'hex');
  }
  return lots;
}

/** Runs some slices and yields to the event loop after each. Counted, not timed: every store takes the same steps. */
async function compute(work: Work, lastArrival: number): Promise<void> {
  work.computing ??= order(work, lastArrival);
  for (let slice = 0; slice < SLICES_PER_STEP && work.result === undefined; slice += 1) {
    const step = work.computing.next();
    if (step.done === true) work.result = step.value;
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

function* order({ seed, lots, arrivals }: Work, lastArrival: number): Generator<void, Result> {
  const { sorted, order } = yield* sortLots(lots);
  const { listHash, places: placesInList } = yield* orderLots(seed, sorted);
  const places = new Uint32Array(lastArrival);
  for (let index = 0; index < order.length; index += 1) {
    places[arrivals[order[index]!]! - 1] = placesInList[index]!;
    if (index % PLACES_PER_SLICE === 0) yield;
  }
  return { listHash, sorted, places };
}
