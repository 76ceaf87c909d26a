/**
 * Sends admissions to one sink, fire and forget. The admission only adds an entry to a bounded queue; the notice with its token
 * is built later. Notices that do not fit or are not delivered are lost and counted.
 */
import type { Logger } from 'pino';
import type { InsideStanding } from '../line/model/standing.ts';
import type { LineObserver, Visits } from '../line/store/visits.ts';
import type { EntryTokens } from '../line/tokens/entry-tokens.ts';
import type { Notice } from './notice.ts';
import type { NoticeSink } from './notice-sink.ts';

export interface NoticeQueueOptions {
  sink: NoticeSink;
  visits: Pick<Visits, 'find'>;
  entryTokens: Pick<EntryTokens, 'issue'>;
  most: number;
  onOutcome: (sink: string, outcome: NoticeOutcome, count: number) => void;
  log: Logger;
}

export type NoticeOutcome = 'sent' | 'failed' | 'dropped';

/** The pause after a failed send; it doubles with each further failure. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

interface Waiting {
  eventId: string;
  visitor: string;
  standing: InsideStanding | undefined;
}

export class NoticeQueue implements LineObserver {
  readonly #options: NoticeQueueOptions;
  readonly #waiting: Waiting[] = [];
  readonly #sending = new Set<Promise<void>>();
  /** Consecutive failures. */
  #failures = 0;

  constructor(options: NoticeQueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.length;
  }

  joined(): void {}

  admitted(eventId: string, visitor: string, standing?: InsideStanding): void {
    this.#add({ eventId, visitor, standing });
  }

  entered(eventId: string, visitor: string, standing: InsideStanding): void {
    this.#add({ eventId, visitor, standing });
  }

  /** Sends for at most `ms`, then drops what still waits. */
  async stop(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    while (this.#sending.size > 0 && performance.now() < deadline) {
      await Promise.race([
        ...this.#sending,
        new Promise((resolve) => setTimeout(resolve, deadline - performance.now())),
      ]);
    }
    this.#drop(this.#waiting.splice(0).length);
    await this.#options.sink.close();
  }

  #add(admission: Waiting): void {
    if (this.#waiting.length >= this.#options.most) {
      this.#drop(1);
      return;
    }
    this.#waiting.push(admission);
    if (this.#sending.size >= this.#options.sink.concurrency) return;
    // After this turn of the event loop, so that visitors admitted together share a batch.
    const sending = new Promise((resolve) => setImmediate(resolve)).then(() => this.#sendAll());
    this.#sending.add(sending);
    sending.finally(() => this.#sending.delete(sending));
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const batch = this.#waiting.splice(0, this.#options.sink.batchSize);
      if (batch.length === 0) return;
      await this.#send(batch);
    }
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const { sink, onOutcome } = this.#options;
    let notices: Notice[] = [];
    try {
      notices = (await Promise.all(batch.map((admission) => this.#toNotice(admission)))).flat();
      const failed = notices.length === 0 ? 0 : await sink.send(notices);
      onOutcome(sink.name, 'sent', notices.length - failed);
      onOutcome(sink.name, 'failed', failed);
      this.#failures = 0;
    } catch (error) {
      onOutcome(sink.name, 'failed', notices.length || batch.length);
      this.#warn(error);
      this.#failures += 1;
      await this.#pause();
    }
  }

  /** Empty for a visitor who has left. */
  async #toNotice({ eventId, visitor, standing }: Waiting): Promise<Notice[]> {
    const inside = standing?.state === 'active' ? standing : await this.#findInside(eventId, visitor);
    if (inside === undefined) return [];
    const entryToken = this.#options.entryTokens.issue(eventId, visitor, inside);
    return [{ action: 'admitted', eventId, userId: visitor, entryToken, timestamp: inside.admittedAt }];
  }

  async #findInside(eventId: string, visitor: string): Promise<InsideStanding | undefined> {
    const found = await this.#options.visits.find(eventId, visitor);
    // In a room with `admission: claim` the notice is sent when the visitor enters, not when they are admitted.
    if (found.outcome !== 'found' || found.crowd.settings.admission !== 'auto') return undefined;
    const { standing } = found;
    return standing.state === 'active' || standing.state === 'admitted' ? standing : undefined;
  }

  #drop(count: number): void {
    this.#options.onOutcome(this.#options.sink.name, 'dropped', count);
  }

  /** Logs the first of several consecutive failures. */
  #warn(error: unknown): void {
    if (this.#failures > 0) return;
    this.#options.log.warn({ err: error, sink: this.#options.sink.name }, 'sending notices failed');
  }

  /** Failing sends cost as much as successful ones, on the thread that also admits. */
  async #pause(): Promise<void> {
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    await new Promise((resolve) => setTimeout(resolve, ms).unref());
  }
}
