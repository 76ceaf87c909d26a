/** The record log in PostgreSQL, where Kafka is not configured. */
import type { Logger } from 'pino';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { type Consumption, MAX_BATCH, type Message, type Reading, type RecordLog } from '../record-log.ts';
import { partitionOf } from '../topics.ts';
import { startGroupReader } from './group-reader.ts';
import * as statements from './log-statements.ts';

export interface PostgresRecordLogOptions {
  database: LazyDatabase;
  /** How often readers poll for new messages. */
  pollMs: number;
  log: Logger;
}

export class PostgresRecordLog implements RecordLog {
  readonly #options: PostgresRecordLogOptions;
  readonly #known = new Set<string>();

  constructor(options: PostgresRecordLogOptions) {
    this.#options = options;
  }

  async publish(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    await this.#createTopics(messages.map(({ topic }) => topic));
    await inTransaction(await this.#options.database.get(), async (tx) => {
      for (const { at, messages: together } of byPartition(messages)) {
        const first = await statements.reserveOffsets(tx, at, together.length);
        await statements.insertMessages(tx, at, first, together);
      }
    });
  }

  consume(reading: Reading): Consumption {
    const { database, pollMs, log } = this.#options;
    const prepare = () => this.#createTopics(reading.topics);
    return startGroupReader({ ...reading, database, pollMs, log, prepare });
  }

  async drain({ group, topics, handle }: Omit<Reading, 'group'> & { group: string | undefined }): Promise<number> {
    const db = await this.#options.database.get();
    await this.#createTopics(topics);
    const positions = group === undefined ? [] : await statements.listPositions(db, group);
    if (group !== undefined) await statements.createPositions(db, group, topics);
    let count = 0;
    for (const { topic, partition, end } of await statements.listEnds(db, topics)) {
      const known = positions.find((position) => position.topic === topic && position.partition === partition);
      let nextOffset = known?.nextOffset ?? 0;
      while (nextOffset < end) {
        const batch = await statements.readMessages(
          db,
          { topic, partition, nextOffset },
          Math.min(MAX_BATCH, end - nextOffset),
        );
        await handle(batch);
        nextOffset += batch.length;
        count += batch.length;
        if (group !== undefined) await statements.setPosition(db, group, { topic, partition }, nextOffset);
      }
    }
    return count;
  }

  prepare(topics: readonly string[]): Promise<void> {
    return this.#createTopics(topics);
  }

  /** The database reports its own faults. */
  async findFault(): Promise<undefined> {}

  async measureLag(group: string, topics: readonly string[]): Promise<Map<string, number>> {
    const db = await this.#options.database.get();
    const positions = await statements.listPositions(db, group);
    const lag = new Map(topics.map((topic) => [topic, 0]));
    for (const { topic, partition, end } of await statements.listEnds(db, topics)) {
      const known = positions.find((position) => position.topic === topic && position.partition === partition);
      lag.set(topic, lag.get(topic)! + end - (known?.nextOffset ?? 0));
    }
    return lag;
  }

  /** The database is shared; its owner closes it. */
  async close(): Promise<void> {}

  async #createTopics(topics: readonly string[]): Promise<void> {
    const unknown = [...new Set(topics)].filter((topic) => !this.#known.has(topic));
    if (unknown.length === 0) return;
    await statements.createPartitions(await this.#options.database.get(), unknown);
    for (const topic of unknown) this.#known.add(topic);
  }
}

/** Sorted, so that two publishers cannot deadlock. */
function byPartition(messages: readonly Message[]): { at: statements.Partition; messages: Message[] }[] {
  const groups = new Map<string, { at: statements.Partition; messages: Message[] }>();
  for (const message of messages) {
    const at = { topic: message.topic, partition: partitionOf(message.key) };
    const name = `${at.topic}:${at.partition}`;
    const group = groups.get(name) ?? { at, messages: [] };
    groups.set(name, group);
    group.messages.push(message);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}
