/**
 * Works a draw out, one bounded step per call, over what a store keeps of it. First the list of those present is fixed;
 * from then on everything follows from the list and the seed, so that any process that takes over after a crash, or two
 * at once, give everyone the same number.
 */

import { type DrawPhase, type DrawSecrets, isHole, TICKET_BYTES } from '../model/draw-state.ts';
import { castLots, sortTickets, toTicket } from './draw.ts';

export interface DrawProgress extends DrawSecrets {
  phase: DrawPhase;
  firstNumber: number;
  /** The last who came before the draw began, and up to whom the list is fixed. */
  lastArrival: number;
  gatheredTo: number;
  /** How many are on the list. */
  count: number;
  /** The first of those still in the lobby, by arrival; undefined once it is empty. */
  firstInLobby: number | undefined;
}

/**
 * What a store lets the draw read and write. Writes are for the draw with that seed only, and may be repeated. Those of the
 * lobby are known by their arrival: it begins with 1, and `from` and `after` are the one before the first that is meant.
 */
export interface DrawBook {
  /** How far it is, begun if it is due; undefined where the room has no draw. */
  open(eventId: string): Promise<DrawProgress | undefined>;
  /** The visitor of each arrival, `limit` at most; '' for who was not present when the draw began. */
  readLobby(eventId: string, after: number, limit: number): Promise<string[]>;
  /** Fixes a part of the list: a ticket for each arrival, zeros for who was not present. */
  addPresent(eventId: string, seed: string, chunk: { from: number; tickets: Buffer }): Promise<void>;
  /** The same, `count` arrivals at most. */
  readPresent(eventId: string, from: number, count: number): Promise<Buffer>;
  /** The list as it is published, from the `from`-th ticket on. */
  writeEntries(eventId: string, seed: string, from: number, tickets: Buffer): Promise<void>;
  /** A number for each arrival, 0 for who is not on the list; only whoever is still in the lobby gets it. */
  giveNumbers(eventId: string, seed: string, chunk: { from: number; numbers: number[] }): Promise<void>;
  finish(eventId: string, seed: string, listHash: string): Promise<void>;
}

export type DrawStep = 'nothing' | 'drawing' | 'drawn';

/** So many at a time that no step holds up others: some 5 ms each, on every store. */
const GATHERED_PER_CHUNK = 1_000;
const CHUNKS_AT_ONCE = 4;
const NUMBERS_PER_STEP = 500;
const TICKETS_PER_STEP = 16_384;
const PLACES_PER_SLICE = 10_000;
const SLICES_PER_STEP = 20;

/** What this process has worked out so far of one draw. */
interface Work {
  readonly seed: string;
  /** Of those who take part, in order of arrival. */
  readonly tickets: Buffer;
  /** Whose tickets these are. */
  readonly arrivals: Uint32Array;
  /** Up to which arrival they are known, and how many that is. */
  loadedTo: number;
  loaded: number;
  computing: Generator<void, Result> | undefined;
  result: Result | undefined;
  written: number;
}

interface Result {
  listHash: string;
  /** The list in ascending order. */
  sorted: Buffer;
  /** For each arrival its place in the drawn order; 1 is first, 0 for who does not take part. */
  places: Uint32Array;
}

export class DrawRunner {
  readonly #book: DrawBook;
  readonly #works = new Map<string, Work>();

  constructor(book: DrawBook) {
    this.#book = book;
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

  async #gather(eventId: string, { seed, ticketKey, gatheredTo }: DrawProgress): Promise<void> {
    // A list that is gathered again, because a server lost its last writes, may be another one.
    this.#works.delete(eventId);
    // A store elsewhere reads the next chunks while the tickets of the first are computed.
    const chunks = Array.from({ length: CHUNKS_AT_ONCE }, async (_, index) => {
      const after = gatheredTo + index * GATHERED_PER_CHUNK;
      return toTickets(ticketKey, await this.#book.readLobby(eventId, after, GATHERED_PER_CHUNK));
    });
    const tickets = Buffer.concat(await Promise.all(chunks));
    await this.#book.addPresent(eventId, seed, { from: gatheredTo, tickets });
  }

  async #load(eventId: string, work: Work, lastArrival: number): Promise<void> {
    const from = work.loadedTo;
    const present = await this.#book.readPresent(eventId, from, Math.min(TICKETS_PER_STEP, lastArrival - from));
    // Somebody else has called for a step meanwhile, and it came first.
    if (work.loadedTo !== from) return;
    for (let index = 0; index < present.length / TICKET_BYTES; index += 1) {
      work.loadedTo += 1;
      if (isHole(present, index)) continue;
      present.copy(work.tickets, work.loaded * TICKET_BYTES, index * TICKET_BYTES, (index + 1) * TICKET_BYTES);
      work.arrivals[work.loaded] = work.loadedTo;
      work.loaded += 1;
    }
  }

  async #writeEntries(eventId: string, work: Work, { sorted }: Result): Promise<void> {
    const from = work.written;
    const chunk = sorted.subarray(from * TICKET_BYTES, (from + TICKETS_PER_STEP) * TICKET_BYTES);
    await this.#book.writeEntries(eventId, work.seed, from, chunk);
    work.written = from + chunk.length / TICKET_BYTES;
  }

  async #giveNumbers(
    eventId: string,
    { seed, firstNumber }: DrawProgress,
    from: number,
    { places }: Result,
  ): Promise<void> {
    if (places[from] === 0) throw new Error('somebody is in the lobby who is not on the list of the draw');
    const chunk = places.subarray(from, from + NUMBERS_PER_STEP);
    const numbers = Array.from(chunk, (place) => (place === 0 ? 0 : firstNumber + place - 1));
    await this.#book.giveNumbers(eventId, seed, { from, numbers });
  }

  #workOf(eventId: string, { seed, count }: DrawProgress): Work {
    const known = this.#works.get(eventId);
    if (known?.seed === seed && known.arrivals.length === count) return known;
    const work: Work = {
      seed,
      tickets: Buffer.alloc(count * TICKET_BYTES),
      arrivals: new Uint32Array(count),
      loadedTo: 0,
      loaded: 0,
      computing: undefined,
      result: undefined,
      written: 0,
    };
    this.#works.set(eventId, work);
    return work;
  }
}

/** Zeros for ''. */
function toTickets(ticketKey: string, visitors: string[]): Buffer {
  const tickets = Buffer.alloc(visitors.length * TICKET_BYTES);
  for (const [index, visitor] of visitors.entries()) {
    if (visitor !== '') tickets.write(toTicket(ticketKey, visitor), index * TICKET_BYTES, 'hex');
  }
  return tickets;
}

/** Some slices, with everybody else let in between. Counted, not timed: two stores take the same steps. */
async function compute(work: Work, lastArrival: number): Promise<void> {
  work.computing ??= order(work, lastArrival);
  for (let slice = 0; slice < SLICES_PER_STEP && work.result === undefined; slice += 1) {
    const step = work.computing.next();
    if (step.done === true) work.result = step.value;
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

function* order({ seed, tickets, arrivals }: Work, lastArrival: number): Generator<void, Result> {
  const { sorted, order } = yield* sortTickets(tickets);
  const { listHash, places: placesInList } = yield* castLots(seed, sorted);
  const places = new Uint32Array(lastArrival);
  for (let index = 0; index < order.length; index += 1) {
    places[arrivals[order[index]!]! - 1] = placesInList[index]!;
    if (index % PLACES_PER_SLICE === 0) yield;
  }
  return { listHash, sorted, places };
}
