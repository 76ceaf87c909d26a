/**
 * Sends mails in the background, so that no response waits for the mail server or shows by its time whether a mail was sent.
 * The queue is bounded and in memory: mails that do not fit, or fail repeatedly, are lost and counted.
 */
import type { Logger } from 'pino';
import type { Mail, SendMail } from './mail.ts';

export interface MailQueueOptions {
  send: SendMail;
  onOutcome: (outcome: MailOutcome) => void;
  log: Logger;
  /** Mails that may wait, those between two tries included. */
  most?: number;
  /** The pause before each further try. */
  retryMs?: readonly number[];
}

export type MailOutcome = 'sent' | 'failed' | 'dropped';

/** Finds out what to send. undefined: nothing. Runs in the background. */
export type PrepareMail = () => Promise<Mail | undefined>;

const MOST = 1_000;
const AT_A_TIME = 4;
const RETRY_MS = [2_000, 10_000, 60_000, 300_000];

export class MailQueue {
  readonly #options: MailQueueOptions;
  readonly #waiting: PrepareMail[] = [];
  readonly #sending = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  /** Waiting, being sent, or between two tries. */
  #count = 0;

  constructor(options: MailQueueOptions) {
    this.#options = options;
  }

  /** Returns at once. */
  add(prepare: PrepareMail): void {
    if (this.#count >= (this.#options.most ?? MOST) || this.#stopping.signal.aborted) {
      this.#options.onOutcome('dropped');
      return;
    }
    this.#count += 1;
    this.#waiting.push(prepare);
    if (this.#sending.size < AT_A_TIME) this.#track(this.#sendAll());
  }

  /** Resolves when nothing is waiting or being sent; mails between two tries are not waited for. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0) await Promise.race(this.#sending);
  }

  /** Sends for at most `ms`, then drops what still waits. */
  async stop(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.settled(), late]);
    clearTimeout(timer);
    this.#stopping.abort();
    this.#waiting.length = 0;
  }

  #track(sending: Promise<void>): void {
    this.#sending.add(sending);
    void sending.finally(() => this.#sending.delete(sending));
  }

  async #sendAll(): Promise<void> {
    // After this turn of the event loop, so that the response does not wait for the preparation.
    await new Promise((resolve) => setImmediate(resolve));
    for (let prepare = this.#waiting.shift(); prepare !== undefined; prepare = this.#waiting.shift()) {
      await this.#prepareAndSend(prepare);
    }
  }

  async #prepareAndSend(prepare: PrepareMail): Promise<void> {
    try {
      const mail = await prepare();
      if (mail === undefined) this.#count -= 1;
      else await this.#try(mail, 0);
    } catch (error) {
      this.#finish('failed', error);
    }
  }

  async #try(mail: Mail, tried: number): Promise<void> {
    try {
      await this.#options.send(mail);
      this.#finish('sent');
    } catch (error) {
      const pauseMs = (this.#options.retryMs ?? RETRY_MS)[tried];
      if (pauseMs === undefined || isPermanent(error)) this.#finish('failed', error);
      else this.#tryLater(mail, tried + 1, pauseMs);
    }
  }

  /** A mail that waits for its next try does not hold up the others. */
  #tryLater(mail: Mail, tried: number, pauseMs: number): void {
    const timer = setTimeout(() => this.#track(this.#try(mail, tried)), pauseMs);
    timer.unref();
    this.#stopping.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  #finish(outcome: MailOutcome, error?: unknown): void {
    this.#count -= 1;
    this.#options.onOutcome(outcome);
    // Without the mail: it contains a link that signs in.
    if (error !== undefined) this.#options.log.warn({ reason: (error as Error).message }, 'mail not sent');
  }
}

/** The server refused this mail for good (RFC 5321: 5xx), so another try is pointless. */
function isPermanent(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: number };
  return responseCode !== undefined && responseCode >= 500;
}
