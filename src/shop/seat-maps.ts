/**
 * The seat maps of this process. A map is read in full once and then updated from changes, at a bounded rate however many
 * requests arrive, so that a busy sale costs the database a few small queries a second.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Clock } from '../platform/clock.ts';
import type { EventStore, SaleOver, SeatsSnapshot } from './event-store.ts';
import { renderSeatMap, type SeatState } from './rules/seat-map.ts';

export interface SeatMap {
  /** A hash of the content: equal in all processes. */
  version: string;
  body: Buffer;
  zipped: Buffer;
  /** Whether and why the sale is over: then the map is of no use. */
  over: SaleOver;
}

export interface SeatMapUpdate {
  map: SeatMap;
  /** The changes since the last update; undefined: read the whole map again. */
  changes: Record<string, SeatState> | undefined;
}

export interface SeatMapsOptions {
  store: Pick<EventStore, 'readSeats' | 'readChanges'>;
  clock: Clock;
  /** The maximum age of a map. */
  freshMs?: number;
}

type Listener = (update: SeatMapUpdate) => void;

interface Entry {
  eventId: string;
  snapshot: SeatsSnapshot;
  map: SeatMap;
  readAt: number;
  reading: Promise<Entry | undefined> | undefined;
  listeners: Set<Listener>;
}

const FRESH_MS = 250;
/** More events than a process serves at once. The least recently used map without watchers is dropped. */
const MAX_KEPT = 100;

export class SeatMaps {
  readonly #store: SeatMapsOptions['store'];
  readonly #clock: Clock;
  readonly #freshMs: number;
  readonly #entries = new Map<string, Entry>();
  readonly #opening = new Map<string, Promise<Entry | undefined>>();

  constructor({ store, clock, freshMs = FRESH_MS }: SeatMapsOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#freshMs = freshMs;
  }

  /** Whether finding it needs no full read. */
  isKept(eventId: string): boolean {
    return this.#entries.has(eventId) || this.#opening.has(eventId);
  }

  /** undefined for an unknown event. */
  async find(eventId: string): Promise<SeatMap | undefined> {
    return (await this.#fresh(eventId))?.map;
  }

  /** Calls `listener` on every change until `stop` is called; undefined for an unknown event. */
  async watch(eventId: string, listener: Listener): Promise<{ map: SeatMap; stop: () => void } | undefined> {
    const entry = await this.#fresh(eventId);
    if (entry === undefined) return undefined;
    entry.listeners.add(listener);
    return { map: entry.map, stop: () => entry.listeners.delete(listener) };
  }

  /** One pass of the loop that updates watched maps. */
  async runOnce(): Promise<'done'> {
    const watched = [...this.#entries.values()].filter(({ listeners }) => listeners.size > 0);
    await Promise.all(watched.map((entry) => this.#refresh(entry)));
    return 'done';
  }

  async #fresh(eventId: string): Promise<Entry | undefined> {
    const entry = this.#entries.get(eventId);
    if (entry === undefined) return this.#open(eventId);
    // Moves it to the end: maps at the start are dropped first.
    this.#entries.delete(eventId);
    this.#entries.set(eventId, entry);
    if (this.#clock.now() - entry.readAt < this.#freshMs) return entry;
    return this.#refresh(entry);
  }

  /** Simultaneous requests share one read. */
  #open(eventId: string): Promise<Entry | undefined> {
    const opening = this.#opening.get(eventId) ?? this.#read(eventId).finally(() => this.#opening.delete(eventId));
    this.#opening.set(eventId, opening);
    return opening;
  }

  async #read(eventId: string): Promise<Entry | undefined> {
    const readAt = this.#clock.now();
    const snapshot = await this.#store.readSeats(eventId);
    if (snapshot === undefined) return undefined;
    const map = render(eventId, snapshot);
    const entry = { eventId, snapshot, map, readAt, reading: undefined, listeners: new Set<Listener>() };
    this.#entries.set(eventId, entry);
    this.#dropOldest();
    return entry;
  }

  #refresh(entry: Entry): Promise<Entry | undefined> {
    entry.reading ??= this.#update(entry).finally(() => {
      entry.reading = undefined;
    });
    return entry.reading;
  }

  async #update(entry: Entry): Promise<Entry | undefined> {
    const readAt = this.#clock.now();
    const found = await this.#store.readChanges(entry.eventId, entry.snapshot.since);
    if (found === undefined) {
      this.#entries.delete(entry.eventId);
      return undefined;
    }
    entry.readAt = readAt;
    if (found.generation !== entry.snapshot.generation) return this.#readAgain(entry);
    entry.snapshot.since = found.since;
    const { states } = entry.snapshot;
    if (found.over !== entry.snapshot.over) {
      entry.snapshot.over = found.over;
      entry.map = { ...entry.map, over: found.over };
      notify(entry, undefined);
    }
    const changes = found.changes.filter(([id, state]) => (states.get(id) ?? 'free') !== state);
    if (changes.length === 0) return entry;
    for (const [id, state] of changes) states.set(id, state);
    entry.map = render(entry.eventId, entry.snapshot);
    notify(entry, Object.fromEntries(changes));
    return entry;
  }

  async #readAgain(entry: Entry): Promise<Entry | undefined> {
    const snapshot = await this.#store.readSeats(entry.eventId);
    if (snapshot === undefined) return undefined;
    Object.assign(entry, { snapshot, map: render(entry.eventId, snapshot) });
    notify(entry, undefined);
    return entry;
  }

  #dropOldest(): void {
    if (this.#entries.size <= MAX_KEPT) return;
    const oldest = [...this.#entries.values()].find(({ listeners }) => listeners.size === 0);
    if (oldest !== undefined) this.#entries.delete(oldest.eventId);
  }
}

function notify({ listeners, map }: Entry, changes: Record<string, SeatState> | undefined): void {
  for (const listener of listeners) listener({ map, changes });
}

function render(eventId: string, snapshot: SeatsSnapshot): SeatMap {
  const body = Buffer.from(renderSeatMap({ eventId, ...snapshot }));
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  // Rows of equal digits: the fastest level already compresses them to a tenth.
  return { version, body, zipped: gzipSync(body, { level: 1 }), over: snapshot.over };
}
