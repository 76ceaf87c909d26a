/**
 * Tells every visitor that the rehearsal is over. Not an AbortSignal: removing one of its listeners takes longer the more
 * there are, and each visitor has one.
 */
export class Ending {
  readonly #listeners = new Set<() => void>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  onEnd(listener: () => void): void {
    this.#listeners.add(listener);
  }

  off(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** Resolves after `ms`, or when the rehearsal is over. */
  sleep(ms: number): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.off(wake);
        resolve();
      };
      // Whole milliseconds: Node keeps a list of timers per duration.
      const timer = setTimeout(wake, Math.ceil(ms));
      this.onEnd(wake);
    });
  }
}
