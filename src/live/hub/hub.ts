/**
 * The open streams of this process, by event and visitor. The hub tracks who is connected and how a connection ends;
 * the content of the streams comes from elsewhere.
 */
import type { Logger } from 'pino';
import type { Stream } from '../../http/stream.ts';
import type { Visits } from '../../line/store/visits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AdmissionFeed } from '../feed/admission-feed.ts';
import { type ByeReason, formatBye } from './frames.ts';
import type { LiveMetrics } from './live-metrics.ts';
import { formatLast } from './messages.ts';
import { inSlices } from './slices.ts';
import { createWatcher, type NewWatcher, type Watcher } from './watcher.ts';

export interface HubOptions {
  visits: Pick<Visits, 'disconnect'>;
  feed: AdmissionFeed;
  metrics: LiveMetrics;
  log: Logger;
  /** Only measures durations. */
  clock: Clock;
  /** Maximum streams per visitor and event; 0 is no limit. */
  streamsPerVisitor: number;
}

export class Hub {
  readonly #events = new Map<string, Map<string, Watcher>>();
  readonly #options: HubOptions;
  #size = 0;
  #isDraining = false;

  constructor(options: HubOptions) {
    this.#options = options;
    options.metrics.watchStreams(() => this.#size);
  }

  /** Number of open streams. */
  get size(): number {
    return this.#size;
  }

  /** True once the process is stopping: open no more streams. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  listEvents(): string[] {
    return [...this.#events.keys()];
  }

  listWatchers(eventId: string): Watcher[] {
    return [...(this.#events.get(eventId)?.values() ?? [])];
  }

  find(eventId: string, visitor: string): Watcher | undefined {
    return this.#events.get(eventId)?.get(visitor);
  }

  /** Adds a stream of a visitor. Above the limit it replaces the oldest: the page opened last is the one in use. */
  add(stream: Stream, newcomer: NewWatcher): Watcher {
    const watcher = this.find(newcomer.eventId, newcomer.visitor) ?? this.#addWatcher(newcomer);
    const { streamsPerVisitor, metrics } = this.#options;
    // Not pushed: an array that grows keeps room for 16 more.
    watcher.streams = [...watcher.streams, stream];
    this.#size += 1;
    metrics.countOpened();
    if (streamsPerVisitor > 0 && watcher.streams.length > streamsPerVisitor) {
      this.#drop(watcher, watcher.streams[0]!, 'replaced');
    }
    return watcher;
  }

  /** Writes to all streams of a watcher; drops slow ones. */
  write(watcher: Watcher, format: (stream: Stream) => string): void {
    for (const stream of watcher.streams) this.writeTo(watcher, stream, format(stream));
  }

  writeTo(watcher: Watcher, stream: Stream, text: string): void {
    if (stream.write(text, this.#options.clock.now()) === 'written') return;
    this.#drop(watcher, stream, 'slow');
    this.#reportIfGone(watcher);
  }

  /** The client or the network closed the stream. */
  lose(watcher: Watcher, stream: Stream): void {
    if (this.#remove(watcher, stream)) this.#reportIfGone(watcher);
  }

  /** Ends all streams of a watcher with this last event. Does not report a disconnect to the store. */
  end(watcher: Watcher, text: string, reason: ByeReason | 'gone'): void {
    this.#options.metrics.countDropped(reason, watcher.streams.length);
    for (const stream of watcher.streams) {
      this.#remove(watcher, stream);
      endStream(watcher, stream, text, reason);
    }
    void this.#release(watcher);
  }

  /** Ends all streams. Places are kept as if still connected: a restart costs nobody their place. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    const text = formatBye('stopping');
    const watchers = this.listEvents().flatMap((eventId) => this.listWatchers(eventId));
    await inSlices(watchers, (slice) => {
      for (const watcher of slice) this.end(watcher, text, 'stopping');
    });
  }

  #addWatcher(newcomer: NewWatcher): Watcher {
    const watcher = createWatcher(newcomer);
    const watchers = this.#events.get(watcher.eventId) ?? new Map<string, Watcher>();
    this.#events.set(watcher.eventId, watchers.set(watcher.visitor, watcher));
    return watcher;
  }

  #drop(watcher: Watcher, stream: Stream, reason: ByeReason): void {
    if (!this.#remove(watcher, stream)) return;
    this.#options.metrics.countDropped(reason, 1);
    endStream(watcher, stream, formatBye(reason), reason);
  }

  #remove(watcher: Watcher, stream: Stream): boolean {
    if (!watcher.streams.includes(stream)) return false;
    watcher.streams = watcher.streams.filter((other) => other !== stream);
    this.#size -= 1;
    if (watcher.streams.length === 0) this.#forget(watcher);
    return true;
  }

  #forget({ eventId, visitor }: Watcher): void {
    const watchers = this.#events.get(eventId);
    watchers?.delete(visitor);
    if (watchers?.size === 0) this.#events.delete(eventId);
  }

  #reportIfGone(watcher: Watcher): void {
    if (watcher.streams.length === 0) void this.#reportGone(watcher);
  }

  /** Reports to the store that a visitor has no connection left in any process, which starts the grace. */
  async #reportGone(watcher: Watcher): Promise<void> {
    const { eventId, visitor } = watcher;
    const wasLast = await this.#release(watcher);
    const isBack = this.find(eventId, visitor) !== undefined;
    if (!wasLast || isBack || this.#isDraining) return;
    await this.#options.visits.disconnect(eventId, visitor).catch((error) => {
      // Nothing is lost: the visitor lapses by silence a little later.
      this.#options.log.warn({ err: error, eventId }, 'live: reporting a closed connection to the store failed');
    });
  }

  /** True if the visitor is known to have no connection elsewhere. */
  async #release({ eventId, visitor }: Watcher): Promise<boolean> {
    try {
      return await this.#options.feed.disconnected(eventId, visitor);
    } catch (error) {
      this.#options.log.warn({ err: error, eventId }, 'live: reporting a closed connection to the feed failed');
      return false;
    }
  }
}

function endStream(watcher: Watcher, stream: Stream, text: string, reason: ByeReason | 'gone'): void {
  stream.end(stream.format === 'named' ? text : formatLast(watcher, reason));
}
