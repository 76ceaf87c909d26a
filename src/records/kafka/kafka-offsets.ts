/**
 * How far a group has come, told to Kafka one commit at a time with whatever was handled since the last. A commit that
 * fails is no loss: whoever reads on gets some messages again.
 *
 * This client commits the offset of the last message that was handled, and reads on behind it; other clients commit the
 * next one, and their tools show one message more to be read in each partition than there is.
 */
import type { Consumer } from '@platformatic/kafka';
import type { Logger } from 'pino';

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

  /** Resolves when nothing is left to be told. */
  async settle(): Promise<void> {
    await this.#committing;
  }

  async #commitAll(): Promise<void> {
    while (this.#handled.size > 0) {
      const offsets = [...this.#handled.values()].map((handled) => ({ ...handled, leaderEpoch: -1 }));
      this.#handled.clear();
      try {
        await this.#consumer.commit({ offsets });
      } catch (error) {
        this.#log.debug({ err: error }, 'a commit to Kafka failed; some records will come again');
      }
    }
  }
}
