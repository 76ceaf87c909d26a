/** The events of the stream door (docs/reference/live.md). */

/** The room, at the start and on every change. */
export interface RoomEvent {
  event: 'room';
  data: {
    state: 'not_open' | 'open' | 'paused' | 'closed';
    /** How long a page may be closed without losing its place. */
    keptSeconds: number;
    opensAt?: string;
    closesAt?: string;
    message?: { ko?: string; en?: string };
    /** Percent of admissions reserved for the priority lane. */
    priorityShare?: number;
    soldOut?: boolean;
  };
}

/** Where the visitor stands. Before a draw there is no number and no position. */
export interface PositionEvent {
  event: 'position';
  data: {
    number?: number;
    /** 1 is next. */
    position?: number;
    peopleAhead?: number;
    peopleBehind?: number;
    queueSize: number;
    /** Seconds; null if unknown, see `waitReason`. */
    estimatedWait: number | null;
    estimatedWaitRange?: { low: number; high: number };
    confidence?: number;
    waitReason?: 'not_open' | 'paused' | 'closed' | 'no_room' | 'few_left' | 'sold_out' | 'draw';
    waitUntil?: string;
    waitChange?: 'slower' | 'limit' | 'resumed' | 'returned' | 'site' | 'lanes';
    lane?: 'priority';
    drawLot?: string;
    currentUsers: number;
    threshold: number;
  };
}

/** In a claim room: the visitor may enter before `enterBy`, with `POST /api/queue/check/{eventId}`. */
export interface ReadyEvent {
  event: 'ready';
  data: { number: number; readyForEntry: true; enterBy: string; target: string | null };
}

/** The visitor is inside. Repeated with a later `expiresAt` while the visitor stays. */
export interface AdmittedEvent {
  event: 'admitted';
  data: { entryToken: string; admittedAt: string; expiresAt: string; target: string | null };
}

/** The place has ended; the last event. */
export interface GoneEvent {
  event: 'gone';
  data: { reason: 'lapsed' | 'ended' | 'removed' | 'banned' };
}

/** The server closes the stream. After `left` and `replaced` it is the last event, else the client connects again. */
export interface ByeEvent {
  event: 'bye';
  data: { reason: 'stopping' | 'slow' | 'renamed' | 'replaced' | 'left' };
}

export type StreamEvent = RoomEvent | PositionEvent | ReadyEvent | AdmittedEvent | GoneEvent | ByeEvent;
