/**
 * Requests that passed without tokens, for the audit trail, in bounded form: the first of an entry and address at once,
 * then one summary per entry, address and minute. Beyond a number of them, one summary for all others.
 */
import type { Clock } from '../../platform/clock.ts';
import { addressKey } from '../../platform/rate-limit.ts';
import type { BypassKind } from '../decision/judge-access.ts';

export interface BypassNote {
  kind: BypassKind;
  entry: string;
  eventId: string | undefined;
  /** The client's address; `other addresses` in a summary of many. */
  from: string;
  requests: number;
}

export interface BypassLogOptions {
  /** Writes to the audit trail, or sends to the line. Must not throw. */
  write: (note: BypassNote & { since: number | undefined }) => void;
  clock: Clock;
}

export const OTHERS = 'other addresses';
const WINDOW_MS = 60_000;
const MOST_WINDOWS = 100;

interface Window extends BypassNote {
  since: number;
}

export class BypassLog {
  readonly #options: BypassLogOptions;
  readonly #windows = new Map<string, Window>();

  constructor(options: BypassLogOptions) {
    this.#options = options;
  }

  note({ kind, entry, eventId, from, requests }: BypassNote): void {
    const address = from === OTHERS ? OTHERS : addressKey(from);
    const key = `${entry} ${eventId ?? ''} ${address}`;
    const known = this.#windows.get(key);
    if (known !== undefined) {
      known.requests += requests;
      return;
    }
    const since = this.#options.clock.now();
    if (this.#windows.size < MOST_WINDOWS) {
      this.#windows.set(key, { kind, entry, eventId, from, requests: 0, since });
      this.#options.write({ kind, entry, eventId, from, requests, since: undefined });
      return;
    }
    const others = this.#windows.get(OTHERS);
    if (others !== undefined) others.requests += requests;
    else this.#windows.set(OTHERS, { kind, entry: 'several', eventId: undefined, from: OTHERS, requests, since });
  }

  /** One pass: writes the summaries of the minutes that are over. */
  runOnce(): 'done' {
    const over = this.#options.clock.now() - WINDOW_MS;
    this.#close(({ since }) => since <= over);
    return 'done';
  }

  /** Writes all summaries, before the process ends. */
  flush(): void {
    this.#close(() => true);
  }

  #close(isOver: (window: Window) => boolean): void {
    for (const [key, window] of this.#windows) {
      if (!isOver(window)) continue;
      this.#windows.delete(key);
      if (window.requests > 0) this.#options.write(window);
    }
  }
}
