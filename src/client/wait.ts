/** Waiting that an AbortSignal ends, and how long to wait between attempts. */

const BASE_MS = 1_000;
const MAX_MS = 30_000;

/** Rejects with the signal's reason when it is aborted. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Never earlier than the server asked, and up to a fifth later: pages that were opened in the same second spread out.
 */
export function withJitter(seconds: number): number {
  return seconds * 1_000 * (1 + Math.random() / 5);
}

/**
 * The time before the next attempt, after so many failed ones: doubles from 1 s to 30 s; half of it is random. After an
 * outage the clients come back spread over that time. The server's Retry-After is the minimum.
 */
export function retryDelay(failures: number, retryAfterSeconds = 0): number {
  const ceiling = Math.min(MAX_MS, BASE_MS * 2 ** (failures - 1));
  return Math.max(ceiling * (0.5 + Math.random() / 2), withJitter(retryAfterSeconds));
}

/** A signal that is aborted with `signal`, or by `abort`. `release` must be called: `signal` may live long. */
export function linkAbort(signal: AbortSignal | undefined): {
  signal: AbortSignal;
  abort(reason: unknown): void;
  release(): void;
} {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal!.reason);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => signal?.removeEventListener('abort', onAbort),
  };
}
