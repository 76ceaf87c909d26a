/**
 * What happened in a run: every request and its response, admissions that the store noted, faults, operators' changes, records
 * and the state at the end. The oracle reads nothing else. Times are milliseconds of the wall clock of this machine.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';

/** What a response of a door said about the visitor. */
export interface Said {
  state: 'lobby' | 'waiting' | 'ready' | 'inside' | 'gone';
  number?: number;
  lane?: 'priority';
  lot?: string;
  /** Id of the waiting token's place. */
  place?: string;
  tokenId?: string;
  expiresAt?: number;
  enterBy?: number;
  /** Visitors inside and their limit, as shown. */
  inside?: number;
  limit?: number;
  reason?: string;
}

export type DoorAction =
  | 'join'
  | 'status'
  | 'heartbeat'
  | 'leave'
  | 'claim-join'
  | 'claim-status'
  | 'enter'
  | 'stream-open'
  | 'stream-event'
  | 'stream-end'
  | 'assign'
  | 'check';

/** A request at a door, or an event of a stream (`at` and `until` are then the time of its arrival). */
export interface Asked {
  kind: 'asked';
  at: number;
  until: number;
  visitor: string;
  eventId: string;
  /** The process and its start, such as line-2.4. */
  process: string;
  action: DoorAction;
  /** 0: no response. */
  status: number;
  code?: string;
  retryAfter?: number;
  /** The Idempotency-Key. */
  key?: string;
  said?: Said;
}

export interface ShopAsked {
  kind: 'shop';
  at: number;
  until: number;
  visitor: string;
  eventId: string;
  process: string;
  action: 'hold' | 'prepare' | 'confirm' | 'cancel' | 'look';
  status: number;
  code?: string;
  retryAfter?: number;
  key?: string;
  /** Id of the entry token that was sent; `forged` if it was not genuine. */
  tokenId?: string;
  reservationId?: string;
  seats?: readonly string[];
  amount?: number;
  orderId?: string;
  method?: string;
  holdEndsAt?: number;
}

export interface Operated {
  kind: 'operated';
  at: number;
  until: number;
  eventId: string;
  action: 'room' | 'tier1-on' | 'tier1-off' | 'clear' | 'sell' | 'sign-in';
  status: number;
  settings?: Readonly<Record<string, unknown>>;
  /** For sign-in: the visitor whose place gets another name. */
  visitor?: string;
}

export interface Faulted {
  kind: 'fault';
  no: number;
  fault: string;
  target: string;
  /** What kind of thing it hit: line, admitter, shop, records, redis, postgres, kafka. */
  area: string;
  at: number;
  /** When the cause was gone. */
  until: number;
  /** Set if the system heals without waiting for the end of the cause: the recovery counts from here. */
  healsFrom?: number;
  /** When the system served again; undefined if it did not. */
  recoveredAt?: number;
  /** False if another fault fell into the recovery: then its time says nothing about this one. */
  isClean: boolean;
}

/** An admission in the stream `{eventId}:entry`. */
export interface Entered {
  kind: 'entry';
  at: number;
  eventId: string;
  number: number;
  /** Id in the stream, which is in the order of admission. */
  id: string;
}

/** The sizes of a room, read from the store. */
export interface Sampled {
  kind: 'sample';
  /** Between asking and the answer. */
  at: number;
  until: number;
  eventId: string;
  inside: number;
  waiting: number;
}

export interface Recorded {
  kind: 'record';
  topic: string;
  partition: number;
  /** Order of arrival in its partition. */
  offset: number;
  /** The message as it is in the log. */
  text: string;
}

export interface ReadinessSeen {
  kind: 'ready';
  at: number;
  until: number;
  process: string;
  status: number;
  reason?: string;
}

/** A process did not run for a while: it did not answer, or its timers were late. */
export interface Stalled {
  kind: 'stall';
  at: number;
  until: number;
  process: string;
}

/** A timer of the observer was late by less than a stall: on such a machine no process keeps to tenths of a second. */
export interface LateSeen {
  kind: 'late';
  at: number;
  until: number;
}

export interface MemorySeen {
  kind: 'memory';
  at: number;
  role: string;
  process: string;
  rssBytes: number;
  heapBytes: number;
}

/** A serious line of a process' log, or an exit nobody asked for. */
export interface Complained {
  kind: 'complaint';
  at: number;
  process: string;
  text: string;
}

/** What is left when the crowd has gone. */
export interface Ended {
  kind: 'end';
  at: number;
  rooms: readonly { eventId: string; waiting: number; admitted: number; active: number }[];
  /** Keys of the store, by event, of events that never had a room. */
  strayKeys: readonly string[];
  /** New places by the line processes' own counters; incomplete if one of them died, because its counter died with it. */
  joins?: readonly { eventId: string; counted: number; mayBeIncomplete: boolean }[];
  shop?: ShopEnd;
  draws: readonly DrawEnd[];
}

export interface ShopEnd {
  seats: readonly { eventId: string; id: string; state: string; reservationId: string | null }[];
  reservations: readonly ReservationEnd[];
  payments: readonly PaymentEnd[];
  charges: readonly { orderId: string; amount: number; state: string }[];
  outbox: number;
  buried: number;
  stats?: {
    counts: Readonly<Record<string, number>>;
    revenue: number;
    refunds: number;
  };
}

export interface ReservationEnd {
  id: string;
  eventId: string;
  visitor: string;
  state: string;
  amount: number;
  seats: readonly string[];
}

export interface PaymentEnd {
  orderId: string;
  reservationId: string | null;
  visitor: string;
  amount: number;
  state: string;
}

export interface DrawEnd {
  eventId: string;
  commitment: string;
  /** The commitment as it was published before the draw. */
  announced: string;
  seed: string;
  firstNumber: number;
  lots: readonly string[];
}

export type HistoryEntry =
  | Asked
  | ShopAsked
  | Operated
  | Faulted
  | Entered
  | Sampled
  | Recorded
  | ReadinessSeen
  | Stalled
  | LateSeen
  | MemorySeen
  | Complained
  | Ended;

/** Facts about the run that decide what was promised. */
export interface RunFacts {
  seed: number;
  store: 'redis' | 'cluster' | 'cluster-wait';
  /** True if acknowledged writes may be lost by a failover: a cluster that does not wait for replicas. */
  mayLoseWrites: boolean;
  admissionIntervalMs: number;
  seenTtlMs: number;
  claimTtlMs: number;
  activeTtlMs: number;
  maxPerPerson: number;
  startedAt: number;
}

export interface History {
  facts: RunFacts;
  entries: HistoryEntry[];
}

export interface Recorder {
  readonly history: History;
  add(entry: HistoryEntry): void;
  /** True once the bound is reached: the run should end. */
  isFull(): boolean;
  close(): Promise<void>;
}

/** About 1 GB on disk. */
const MOST_ENTRIES = 3_000_000;

/** Keeps the history for the oracle, and writes it to `path` as lines of JSON. */
export function createRecorder(facts: RunFacts, path: string, most = MOST_ENTRIES): Recorder {
  const history: History = { facts, entries: [] };
  const file = createWriteStream(path);
  file.write(`${JSON.stringify(facts)}\n`);
  return {
    history,
    add(entry) {
      // Records and the final state are few and come last; without them half of the promises could not be judged.
      const isFromTheEnd = entry.kind === 'end' || entry.kind === 'record' || entry.kind === 'fault';
      if (history.entries.length >= most && !isFromTheEnd) return;
      history.entries.push(entry);
      file.write(`${JSON.stringify(entry)}\n`);
    },
    isFull: () => history.entries.length >= most,
    async close() {
      file.end();
      await finished(file);
    },
  };
}

/** Reads what a recorder wrote. */
export async function readHistory(path: string): Promise<History> {
  let facts: RunFacts | undefined;
  const entries: HistoryEntry[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (facts === undefined) facts = JSON.parse(line);
    else entries.push(JSON.parse(line));
  }
  if (facts === undefined) throw new Error(`${path} has no history`);
  return { facts, entries };
}
