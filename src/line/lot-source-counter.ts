/**
 * Counts, for each draw, the addresses from which guests take a place in the lobby. It adds up in this process and writes once a
 * second, so a crowd that joins costs no further store calls.
 */
import type { Logger } from 'pino';
import { createMac } from '../platform/crypto/hmac.ts';
import { addressKey } from '../platform/rate-limit.ts';
import type { LotSource, LotSources } from './store/lot-sources.ts';

export interface LotSourceCounterOptions {
  store: Pick<LotSources, 'add'>;
  /** The same in all processes. */
  secret: string;
  now: () => number;
  log: Logger;
}

const WRITE_EVERY_MS = 1_000;
/** Written at once beyond this; bounds memory and the size of a call. */
const MOST_PENDING = 1_000;
const KEY_LABEL = 'fairline sources of lots';
const MAX_TEXT = 256;
/** 72 bits: no two addresses of a draw share a name. */
const NAME_LENGTH = 12;

export class LotSourceCounter {
  readonly #options: LotSourceCounterOptions;
  readonly #toName: (text: string) => string;
  readonly #pending = new Map<string, Map<string, LotSource>>();
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LotSourceCounterOptions) {
    this.#options = options;
    const key = createMac(options.secret, KEY_LABEL.length)(KEY_LABEL);
    this.#toName = createMac(key, MAX_TEXT);
  }

  note(eventId: string, ip: string): void {
    // The event is part of it: an address cannot be followed from one draw to the next.
    const address = this.#toName(`${eventId} ${addressKey(ip)}`).slice(0, NAME_LENGTH);
    const sources = this.#pending.get(eventId) ?? new Map<string, LotSource>();
    this.#pending.set(eventId, sources);
    const now = this.#options.now();
    const known = sources.get(address);
    if (known === undefined) this.#count += 1;
    sources.set(address, { address, lots: (known?.lots ?? 0) + 1, from: known?.from ?? now, to: now });
    if (this.#count >= MOST_PENDING) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), WRITE_EVERY_MS).unref();
  }

  /** Writes what was counted. A failure loses it: a visitor must not wait for a statistic. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const pending = [...this.#pending];
    this.#pending.clear();
    this.#count = 0;
    const { store, log } = this.#options;
    await Promise.all(
      pending.map(([eventId, sources]) =>
        store.add(eventId, [...sources.values()]).catch((error) => {
          log.warn({ err: error, eventId }, 'counting the sources of lots failed');
        }),
      ),
    );
  }
}
