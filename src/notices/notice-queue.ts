/**
 * Passes admissions on to one sink: fire and forget. Whoever admits only puts a name into a bounded queue; everything
 * else, the token included, is made behind their back. What does not fit or does not arrive is lost, and counted.
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

/** After a sink took nothing; twice as long after each further time. */
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
  /** In a row. */
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

  /** What is under way is sent; what still waits after `ms` is dropped. */
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
    // After this turn of the event loop: those admitted together are sent together.
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
      this.#tell(error);
      this.#failures += 1;
      await this.#pause();
    }
  }

  /** Nothing for whoever is gone already. */
  async #toNotice({ eventId, visitor, standing }: Waiting): Promise<Notice[]> {
    const inside = standing?.state === 'active' ? standing : await this.#findInside(eventId, visitor);
    if (inside === undefined) return [];
    const entryToken = this.#options.entryTokens.issue(eventId, visitor, inside);
    return [{ action: 'admitted', eventId, userId: visitor, entryToken, timestamp: inside.admittedAt }];
  }

  async #findInside(eventId: string, visitor: string): Promise<InsideStanding | undefined> {
    const found = await this.#options.visits.find(eventId, visitor);
    // In a claim room whoever is let in is told of when they come, and not before: they may have come by now.
    if (found.outcome !== 'found' || found.crowd.settings.admission !== 'auto') return undefined;
    const { standing } = found;
    return standing.state === 'active' || standing.state === 'admitted' ? standing : undefined;
  }

  #drop(count: number): void {
    this.#options.onOutcome(this.#options.sink.name, 'dropped', count);
  }

  /** Trouble that lasts is told once. */
  #tell(error: unknown): void {
    if (this.#failures > 0) return;
    this.#options.log.warn({ err: error, sink: this.#options.sink.name }, 'notices do not arrive');
  }

  /** Trying in vain costs as much as sending, and admissions are made on the same thread. */
  async #pause(): Promise<void> {
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    await new Promise((resolve) => setTimeout(resolve, ms).unref());
  }
}
