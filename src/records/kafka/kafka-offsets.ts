/**
 * Commits the offsets of handled messages, one commit at a time. A failed commit loses nothing: some messages are delivered
 * again.
 *
 * This client commits the offset of the last handled message. Other clients commit the next offset, so their tools show a lag
 * of one message per partition too many.
 */
import type { Consumer } from '@platformatic/kafka';
import type { Logger } from 'pino';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';

/** The client waits for a response as long as the connection is open. */
const COMMIT_MS = 5_000;

export interface Handled {
  topic: string;
  partition: number;
  offset: bigint;
}

export class KafkaOffsets {
  readonly #consumer: Pick<Consumer, 'commit'>;
  readonly #log: Logger;
  readonly #handled = new Map<string, Handled>();
  #committing: Promise<void> | undefined;

  constructor(consumer: Pick<Consumer, 'commit'>, log: Logger) {
    this.#consumer = consumer;
    this.#log = log;
  }

  note(handled: Handled): void {
    this.#handled.set(`${handled.topic}:${handled.partition}`, handled);
    this.#committing ??= this.#commitAll().finally(() => {
      this.#committing = undefined;
    });
  }

  /** Resolves when nothing is left to commit. */
  async settle(): Promise<void> {
    await this.#committing;
  }

  async #commitAll(): Promise<void> {
    while (this.#handled.size > 0) {
      const offsets = [...this.#handled.values()].map((handled) => ({ ...handled, leaderEpoch: -1 }));
      this.#handled.clear();
      try {
        await withTimeout(COMMIT_MS, this.#consumer.commit({ offsets }), 'Kafka');
      } catch (error) {
        this.#log.debug({ err: error }, 'commit to Kafka failed, some records will be delivered again');
      }
    }
  }
}
