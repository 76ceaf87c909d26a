/** The keyed requests of the last minutes. Bounded: in a flood the oldest are dropped early. */
import { REQUEST_TTL_MS } from '../../model/join-requests.ts';

export interface KnownRequest {
  id: string;
  fingerprint: string;
  /** Until when the key belongs to this fingerprint; renewed with each use. */
  expiresAt: number;
  /** Until when a repeated request is a duplicate; 0 if the request was refused. */
  doneUntil: number;
}

const MOST_REQUESTS = 1_000_000;

export class RequestLog {
  /** In order of last use, which is the order of expiry. */
  readonly #requests = new Map<string, KnownRequest>();
  readonly #most: number;

  constructor(most = MOST_REQUESTS) {
    this.#most = most;
  }

  /** The request with this id, known or new; undefined if the id belongs to another fingerprint. */
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
