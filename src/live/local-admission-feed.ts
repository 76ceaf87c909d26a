/** The feed of a process that admits and holds the connections as well: a function call. */
import type { AdmissionFeed, OnAdmitted } from './admission-feed.ts';

export class LocalAdmissionFeed implements AdmissionFeed {
  #onAdmitted: OnAdmitted | undefined;

  // There is one process, so nobody has to be told which one holds a connection.
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
