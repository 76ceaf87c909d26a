/**
 * Failed attempts to authenticate as an operator: limited per IP address, counted, and in the audit trail in bounded form:
 * the first of an address at once, then one summary per address and minute. Beyond a number of addresses, one summary for
 * all others.
 */
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { GuessLimit } from '../platform/guess-limit.ts';
import { addressKey } from '../platform/rate-limit.ts';
import type { AuditTrail } from './audit-trail.ts';

export type RefusedAction = 'refused token' | 'refused sign in';

export interface RefusedRequest {
  ip: string;
  id: string;
}

export interface RefusedAttemptsOptions {
  trail: AuditTrail;
  limit: GuessLimit;
  count: (action: RefusedAction) => void;
  clock: Clock;
  log: Logger;
}

const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 20;
const OTHERS = 'other addresses';

interface Window {
  action: RefusedAction;
  from: string;
  traceId: string;
  since: number;
  /** Attempts that are not in the trail yet. */
  attempts: number;
}

export class RefusedAttempts {
  readonly #options: RefusedAttemptsOptions;
  readonly #windows = new Map<string, Window>();

  constructor(options: RefusedAttemptsOptions) {
    this.#options = options;
  }

  /** Returns the seconds after which the address may try again; 0 if this attempt was not too early. */
  async note(action: RefusedAction, { ip, id }: RefusedRequest): Promise<number> {
    const address = addressKey(ip);
    const seconds = this.#countGuess(address);
    this.#options.count(action);
    const known = this.#windows.get(`${action} ${address}`);
    if (known !== undefined) known.attempts += 1;
    else await this.#open(action, address, { ip, id });
    return seconds;
  }

  #countGuess(address: string): number {
    const { limit } = this.#options;
    const isEarly = limit.secondsToWait(address) > 0;
    limit.count(address);
    return isEarly ? limit.secondsToWait(address) : 0;
  }

  /** One pass: writes the summaries of the minutes that are over. */
  async runOnce(): Promise<'done'> {
    const over = this.#options.clock.now() - WINDOW_MS;
    await this.#close(({ since }) => since <= over);
    return 'done';
  }

  /** Writes all summaries, before the process ends. */
  async flush(): Promise<void> {
    await this.#close(() => true);
  }

  async #open(action: RefusedAction, address: string, { ip, id }: RefusedRequest): Promise<void> {
    const since = this.#options.clock.now();
    if (this.#windows.size < MOST_ADDRESSES) {
      this.#windows.set(`${action} ${address}`, { action, from: ip, traceId: id, since, attempts: 0 });
      return this.#write(action, ip, id, {});
    }
    const others = this.#windows.get(`${action} ${OTHERS}`);
    if (others !== undefined) others.attempts += 1;
    else this.#windows.set(`${action} ${OTHERS}`, { action, from: OTHERS, traceId: id, since, attempts: 1 });
  }

  async #close(isOver: (window: Window) => boolean): Promise<void> {
    for (const [key, window] of this.#windows) {
      if (!isOver(window)) continue;
      this.#windows.delete(key);
      const { action, from, traceId, since, attempts } = window;
      if (attempts === 0) continue;
      await this.#write(action, from, traceId, { moreAttempts: attempts, since: new Date(since).toISOString() });
    }
  }

  /** A trail that cannot be written does not change the response to the attempt. */
  async #write(action: string, from: string, traceId: string, details: Record<string, unknown>): Promise<void> {
    try {
      await this.#options.trail.write({ action, by: 'unknown', from, traceId, details });
    } catch (error) {
      this.#options.log.error({ err: error }, 'a refused attempt could not be written to the audit trail');
    }
  }
}
