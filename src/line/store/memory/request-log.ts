/** The keyed requests of the last minutes. Bounded: in a flood beyond the bound, the oldest are forgotten early. */
import { REQUEST_TTL_MS } from '../../model/join-requests.ts';

export interface KnownRequest {
  id: string;
  fingerprint: string;
  /** Until then the key belongs to this fingerprint: a while after it was last used. */
  expiresAt: number;
  /** Until then it gave or found a place; 0 for one that was refused. */
  doneUntil: number;
}

const MOST_REQUESTS = 1_000_000;

export class RequestLog {
  /** In the order they were last used, which is the order they expire in. */
  readonly #requests = new Map<string, KnownRequest>();
  readonly #most: number;

  constructor(most = MOST_REQUESTS) {
    this.#most = most;
  }

  /** The request by this id, known or new; undefined if the id belongs to another fingerprint. */
  note(id: string, fingerprint: string, now: number): KnownRequest | undefined {
    this.#forgetExpired(now);
    const known = this.#requests.get(id);
    const isAlive = known !== undefined && known.expiresAt > now;
    if (isAlive && known.fingerprint !== fingerprint) return undefined;
    const doneUntil = isAlive ? known.doneUntil : 0;
    const request = { id, fingerprint, expiresAt: now + REQUEST_TTL_MS, doneUntil };
    this.restore(request);
    return request;
  }

  restore(request: KnownRequest): void {
    this.#requests.delete(request.id);
    this.#requests.set(request.id, request);
    if (this.#requests.size > this.#most) this.#forgetOldest();
  }

  list(): IterableIterator<KnownRequest> {
    return this.#requests.values();
  }

  #forgetExpired(now: number): void {
    for (const { id, expiresAt } of this.#requests.values()) {
      if (expiresAt > now) return;
      this.#requests.delete(id);
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#requests.keys();
    this.#requests.delete(oldest!);
  }
}
