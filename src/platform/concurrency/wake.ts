/** Wakes loops that rest because there was nothing to do. */
export class Wake {
  #calls = 0;
  readonly #resting = new Set<() => void>();

  /** How often it was called. */
  get calls(): number {
    return this.#calls;
  }

  /** There may be work. */
  call(): void {
    this.#calls += 1;
    for (const wake of this.#resting) wake();
  }

  /** Resolves once it was called more often than `calls`, after `longestMs`, or when `signal` aborts. */
  rest(calls: number, longestMs: number, signal: AbortSignal): Promise<void> {
    if (this.#calls !== calls || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#resting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, longestMs);
      this.#resting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
