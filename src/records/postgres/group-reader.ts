/**
 * Reads the record log in PostgreSQL for a consumer group: polls for partitions with new messages, leases those that no other
 * reader of the group has, and reads them in parallel, so that a slow partition does not delay the others.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { type PassOutcome, startLoop } from '../../platform/concurrency/loop.ts';
import type { Database } from '../../platform/database/database.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { type Consumption, MAX_BATCH, type Message, type Reading } from '../record-log.ts';
import * as statements from './log-statements.ts';

export interface GroupReaderOptions extends Reading {
  database: LazyDatabase;
  pollMs: number;
  log: Logger;
  /** Creates missing topics. */
  prepare: () => Promise<void>;
}

export function startGroupReader(options: GroupReaderOptions): Consumption {
  const { group, topics, database, pollMs, log, prepare } = options;
  const holder = randomUUID();
  const underWay = new Set<Promise<void>>();
  let isPrepared = false;
  let isStopping = false;

  async function look(): Promise<PassOutcome> {
    const db = await database.get();
    if (!isPrepared) {
      await prepare();
      await statements.createPositions(db, group, topics);
      isPrepared = true;
    }
    const partitions = await statements.takePartitions(await database.poll(), group, topics, holder);
    for (const partition of partitions) {
      const reading = read(db, partition).catch((error) => {
        log.error({ err: error, group, ...partition }, 'reading a partition failed, retrying');
      });
      underWay.add(reading);
      reading.finally(() => underWay.delete(reading));
    }
    return partitions.length + underWay.size === 0 ? 'idle' : 'done';
  }

  /** Reads to the end of the partition, in batches. */
  async function read(db: Database, held: statements.HeldPartition): Promise<void> {
    let { nextOffset } = held;
    try {
      while (!isStopping) {
        const batch = await statements.readMessages(db, { ...held, nextOffset }, MAX_BATCH);
        if (batch.length === 0 || !(await isHandled(batch))) return;
        nextOffset += batch.length;
        const isOurs = await statements.movePosition(db, group, held, nextOffset, holder);
        if (batch.length < MAX_BATCH || !isOurs) return;
      }
    } finally {
      await statements.releasePartition(db, group, held, holder);
    }
  }

  /** False if the batch failed; the next poll delivers it again. */
  async function isHandled(batch: readonly Message[]): Promise<boolean> {
    try {
      await options.handle(batch);
      return true;
    } catch (error) {
      log.error({ err: error, group, topic: batch[0]!.topic }, 'handling records failed, retrying');
      return false;
    }
  }

  const loop = startLoop({
    name: `reader of ${group}`,
    intervalMs: pollMs,
    runOnce: look,
    wake: database.activity,
    log,
  });
  return {
    async stop() {
      isStopping = true;
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}
