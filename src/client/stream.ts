/** Joins a line and follows it as server-sent events; connects again when the connection breaks. */
import { EventParser } from './event-parser.ts';
import { FairlineError } from './fairline-error.ts';
import { isWorthRetrying } from './poll.ts';
import type { StreamEvent } from './stream-events.ts';
import type { Transport } from './transport.ts';
import { linkAbort, retryDelay, wait } from './wait.ts';

export interface StreamOptions {
  /** Ends the stream: the loop throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The page that the visitor wanted; becomes `target` of the events. */
  to?: string | undefined;
  /** How many attempts in a row to connect may fail before the error is thrown. Default: 10. */
  retries?: number | undefined;
}

const RETRIES = 10;
/** The server sends something at least every 15 s. */
const SILENT_AFTER_MS = 45_000;
/** Before a new connection, if the server asked for no other time. */
const RECONNECT_MS = 2_000;

/**
 * Ends when the server says that the place is gone, that the visitor left, or that another stream has replaced this one.
 * Leaving the loop closes the connection; the place is kept for a while.
 */
export async function* stream(
  transport: Transport,
  eventId: string,
  { signal, to, retries = RETRIES }: StreamOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  const query = new URLSearchParams({ format: 'named', ...(to !== undefined && { to }) });
  const path = `/events/${encodeURIComponent(eventId)}/tickets/waiting?${query}`;
  const link: Link = { path, lastEventId: undefined, retryMs: RECONNECT_MS, failures: 0 };
  for (;;) {
    let delayMs = 0;
    try {
      if ((yield* follow(transport, link, signal)) === 'ended') return;
    } catch (error) {
      link.failures += 1;
      if (!isWorthRetrying(error, signal) || link.failures > retries) throw error;
      delayMs = retryDelay(link.failures, error instanceof FairlineError ? error.retryAfterSeconds : undefined);
    }
    await wait(Math.max(delayMs, link.retryMs * (0.5 + Math.random())), signal);
  }
}

/** What one connection leaves to the next. */
interface Link {
  path: string;
  lastEventId: string | undefined;
  /** The server gives each client another time. */
  retryMs: number;
  /** Attempts in a row that brought no event. */
  failures: number;
}

/** One connection, until it breaks. */
async function* follow(
  transport: Transport,
  link: Link,
  outer: AbortSignal | undefined,
): AsyncGenerator<StreamEvent, 'ended' | 'broken', undefined> {
  const { signal, abort, release } = linkAbort(outer);
  const onSilence = () => abort(new Error(`The stream was silent for ${SILENT_AFTER_MS / 1000} s.`));
  let silence: ReturnType<typeof setTimeout> | undefined;
  try {
    const { path, lastEventId } = link;
    const headers = { accept: 'text/event-stream', ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
    const response = await transport.open({ method: 'GET', path, headers, signal, abort });
    if (response.status === 204 || response.body === null) return 'ended';
    const parser = new EventParser();
    for await (const piece of textOf(response.body)) {
      clearTimeout(silence);
      silence = setTimeout(onSilence, SILENT_AFTER_MS);
      const events = parser.push(piece);
      link.lastEventId = parser.lastEventId ?? link.lastEventId;
      link.retryMs = parser.retryMs ?? link.retryMs;
      for (const { event, data } of events) {
        link.failures = 0;
        const parsed = { event, data: JSON.parse(data) } as StreamEvent;
        yield parsed;
        if (isLast(parsed)) return 'ended';
      }
    }
    return 'broken';
  } finally {
    clearTimeout(silence);
    release();
    // Also when the caller left the loop.
    abort(new Error('The stream was closed.'));
  }
}

/** By a reader: not every runtime can iterate over a body. */
async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

function isLast({ event, data }: StreamEvent): boolean {
  return event === 'gone' || (event === 'bye' && (data.reason === 'left' || data.reason === 'replaced'));
}
