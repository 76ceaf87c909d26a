/** The feed of a single process, which both admits visitors and has their connections: a function call. */
import type { AdmissionFeed, OnAdmitted } from './admission-feed.ts';

export class LocalAdmissionFeed implements AdmissionFeed {
  #onAdmitted: OnAdmitted | undefined;

  // With one process there is no need to record where a visitor is connected.
  async connected(): Promise<void> {}
  async disconnected(): Promise<boolean> {
    return true;
  }

  async start(onAdmitted: OnAdmitted): Promise<void> {
    this.#onAdmitted = onAdmitted;
  }

  async stop(): Promise<void> {
    this.#onAdmitted = undefined;
  }

  /** Called by the admitter after each tick. */
  announce(eventId: string, visitors: readonly string[]): void {
    if (visitors.length > 0) this.#onAdmitted?.(eventId, visitors);
  }
}
