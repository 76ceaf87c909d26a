/**
 * The seat maps of this process. A map is read whole once and afterwards brought up to date from what has changed, at
 * most every so often however many ask, so that a sold-out sale costs the database a few small queries a second.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Clock } from '../platform/clock.ts';
import type { EventStore, SeatsSnapshot } from './event-store.ts';
import { renderSeatMap, type SeatState } from './rules/seat-map.ts';

export interface SeatMap {
  /** The same for the same content, whichever process made it. */
  version: string;
  body: Buffer;
  zipped: Buffer;
}

export interface SeatMapUpdate {
  map: SeatMap;
  /** What is different from the last update; undefined where everything may be. */
  changes: Record<string, SeatState> | undefined;
}

export interface SeatMapsOptions {
  store: Pick<EventStore, 'readSeats' | 'readChanges'>;
  clock: Clock;
  /** How old a map may be. */
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
/** More events than any process is asked about at once; without watchers, the one not asked for longest goes. */
const MOST_KEPT = 100;

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

  /** undefined for an event that is not there. */
  async find(eventId: string): Promise<SeatMap | undefined> {
    return (await this.#fresh(eventId))?.map;
  }

  /** Tells `listener` of every change until the returned function is called; undefined for an event that is not there. */
  async watch(eventId: string, listener: Listener): Promise<{ map: SeatMap; stop: () => void } | undefined> {
    const entry = await this.#fresh(eventId);
    if (entry === undefined) return undefined;
    entry.listeners.add(listener);
    return { map: entry.map, stop: () => entry.listeners.delete(listener) };
  }

  /** One pass of the role that keeps watchers up to date. */
  async runOnce(): Promise<'done'> {
    const watched = [...this.#entries.values()].filter(({ listeners }) => listeners.size > 0);
    await Promise.all(watched.map((entry) => this.#refresh(entry)));
    return 'done';
  }

  async #fresh(eventId: string): Promise<Entry | undefined> {
    const entry = this.#entries.get(eventId);
    if (entry === undefined) return this.#open(eventId);
    // Moves it behind the others, which are dropped first.
    this.#entries.delete(eventId);
    this.#entries.set(eventId, entry);
    if (this.#clock.now() - entry.readAt < this.#freshMs) return entry;
    return this.#refresh(entry);
  }

  /** Everybody who asks meanwhile waits for the same reading. */
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
    if (found.generation !== entry.snapshot.generation) return this.#readAnew(entry);
    entry.snapshot.since = found.since;
    const { states } = entry.snapshot;
    const changes = found.changes.filter(([id, state]) => (states.get(id) ?? 'free') !== state);
    if (changes.length === 0) return entry;
    for (const [id, state] of changes) states.set(id, state);
    entry.map = render(entry.eventId, entry.snapshot);
    tell(entry, Object.fromEntries(changes));
    return entry;
  }

  async #readAnew(entry: Entry): Promise<Entry | undefined> {
    const snapshot = await this.#store.readSeats(entry.eventId);
    if (snapshot === undefined) return undefined;
    Object.assign(entry, { snapshot, map: render(entry.eventId, snapshot) });
    tell(entry, undefined);
    return entry;
  }

  #dropOldest(): void {
    if (this.#entries.size <= MOST_KEPT) return;
    const oldest = [...this.#entries.values()].find(({ listeners }) => listeners.size === 0);
    if (oldest !== undefined) this.#entries.delete(oldest.eventId);
  }
}

function tell({ listeners, map }: Entry, changes: Record<string, SeatState> | undefined): void {
  for (const listener of listeners) listener({ map, changes });
}

function render(eventId: string, snapshot: SeatsSnapshot): SeatMap {
  const body = Buffer.from(renderSeatMap({ eventId, ...snapshot }));
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  // Rows of equal digits: the fastest level makes it a tenth already.
  return { version, body, zipped: gzipSync(body, { level: 1 }) };
}
