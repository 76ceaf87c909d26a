/**
 * Works a draw out, one bounded step per call, over what a store keeps of it. First the list of those present is fixed;
 * from then on everything follows from the list and the seed, so that any process that takes over after a crash, or two
 * at once, give everyone the same number.
 */
import { castLots, findTicket, type Lots, sortTickets, toTicket } from './draw.ts';
import { type DrawPhase, type DrawSecrets, TICKET_BYTES } from './draw-state.ts';

export interface DrawProgress extends DrawSecrets {
  phase: DrawPhase;
  firstNumber: number;
  gatheredTo: number;
  /** True once the list is fixed. */
  isGathered: boolean;
  /** How many are on the list. */
  count: number;
  /** How many are still in the lobby. */
  inLobby: number;
}

/** What a store lets the draw read and write. Writes are for the draw with that seed only, and may be repeated. */
export interface DrawBook {
  /** How far it is, begun if it is due; undefined where the room has no draw. */
  open(eventId: string): Promise<DrawProgress | undefined>;
  /** Who of the lobby was present when the draw began, behind arrival `after`; and up to which arrival that is. */
  readLobby(eventId: string, after: number, limit: number): Promise<{ visitors: string[]; to: number }>;
  addPresent(eventId: string, seed: string, chunk: { from: number; to: number; tickets: Buffer }): Promise<void>;
  readPresent(eventId: string, from: number, count: number): Promise<Buffer>;
  writeEntries(eventId: string, seed: string, from: number, tickets: Buffer): Promise<void>;
  /** Any of those still in the lobby. */
  listLobby(eventId: string, limit: number): Promise<string[]>;
  giveNumbers(eventId: string, seed: string, lots: { visitor: string; number: number }[]): Promise<void>;
  finish(eventId: string, seed: string, listHash: string): Promise<void>;
}

export type DrawStep = 'nothing' | 'drawing' | 'drawn';

/** So many at a time that no step holds up others: some 10 ms each. */
const GATHERED_PER_STEP = 2_000;
const NUMBERS_PER_STEP = 500;
const TICKETS_PER_STEP = 65_536;
const SHORT_LIST = 1_000;

/** What this process has worked out so far of one draw. */
interface Work {
  readonly seed: string;
  readonly present: Buffer;
  loaded: number;
  computing: Generator<void, Result> | undefined;
  result: Result | undefined;
  written: number;
}

interface Result extends Lots {
  sorted: Buffer;
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
    if (!progress.isGathered) return this.#gather(eventId, progress);
    const work = this.#workOf(eventId, progress);
    if (work.loaded < progress.count) return this.#load(eventId, work, progress.count);
    if (work.result === undefined) return compute(work);
    if (work.written < progress.count) return this.#writeEntries(eventId, work, work.result);
    if (progress.inLobby > 0) return this.#giveNumbers(eventId, progress, work.result);
    await this.#book.finish(eventId, progress.seed, work.result.listHash);
  }

  async #gather(eventId: string, { seed, ticketKey, gatheredTo }: DrawProgress): Promise<void> {
    // A list that is gathered again, because a server lost its last writes, may be another one.
    this.#works.delete(eventId);
    const { visitors, to } = await this.#book.readLobby(eventId, gatheredTo, GATHERED_PER_STEP);
    const tickets = Buffer.from(visitors.map((visitor) => toTicket(ticketKey, visitor)).join(''), 'hex');
    await this.#book.addPresent(eventId, seed, { from: gatheredTo, to, tickets });
  }

  async #load(eventId: string, work: Work, count: number): Promise<void> {
    const wanted = Math.min(TICKETS_PER_STEP, count - work.loaded);
    const tickets = await this.#book.readPresent(eventId, work.loaded, wanted);
    tickets.copy(work.present, work.loaded * TICKET_BYTES);
    work.loaded += tickets.length / TICKET_BYTES;
  }

  async #writeEntries(eventId: string, work: Work, { sorted }: Result): Promise<void> {
    const chunk = sorted.subarray(work.written * TICKET_BYTES, (work.written + TICKETS_PER_STEP) * TICKET_BYTES);
    await this.#book.writeEntries(eventId, work.seed, work.written, chunk);
    work.written += chunk.length / TICKET_BYTES;
  }

  async #giveNumbers(eventId: string, progress: DrawProgress, { sorted, places }: Result): Promise<void> {
    const { seed, ticketKey, firstNumber } = progress;
    const visitors = await this.#book.listLobby(eventId, NUMBERS_PER_STEP);
    const lots = visitors.map((visitor) => {
      const index = findTicket(sorted, toTicket(ticketKey, visitor));
      if (index === undefined) throw new Error('somebody is in the lobby who is not on the list of the draw');
      return { visitor, number: firstNumber + places[index]! - 1 };
    });
    await this.#book.giveNumbers(eventId, seed, lots);
  }

  #workOf(eventId: string, { seed, count }: DrawProgress): Work {
    const known = this.#works.get(eventId);
    if (known?.seed === seed && known.present.length === count * TICKET_BYTES) return known;
    const present = Buffer.alloc(count * TICKET_BYTES);
    const work: Work = { seed, present, loaded: 0, computing: undefined, result: undefined, written: 0 };
    this.#works.set(eventId, work);
    return work;
  }
}

/** One slice of a long list, all of a short one. Counted, not timed: two stores take the same steps. */
function compute(work: Work): void {
  work.computing ??= order(work);
  const isShort = work.present.length <= SHORT_LIST * TICKET_BYTES;
  do {
    const step = work.computing.next();
    if (step.done === true) work.result = step.value;
  } while (isShort && work.result === undefined);
}

function* order({ seed, present }: Work): Generator<void, Result> {
  const sorted = yield* sortTickets(present);
  return { sorted, ...(yield* castLots(seed, sorted)) };
}
