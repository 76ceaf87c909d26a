/**
 * A reader of the log in the database: looks every so often which partitions have something new, takes those that no
 * other reader of its group has, and reads each by itself, so that one that is held up holds up no other.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { startLoop } from '../../platform/concurrency/loop.ts';
import type { Database } from '../../platform/database/database.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { type Consumption, type Message, MOST_TOGETHER, type Reading } from '../record-log.ts';
import * as statements from './log-statements.ts';

export interface GroupReaderOptions extends Reading {
  database: LazyDatabase;
  pollMs: number;
  log: Logger;
  /** Makes sure that the topics are there. */
  prepare: () => Promise<void>;
}

export function startGroupReader(options: GroupReaderOptions): Consumption {
  const { group, topics, database, pollMs, log, prepare } = options;
  const holder = randomUUID();
  const underWay = new Set<Promise<void>>();
  let isPrepared = false;
  let isStopping = false;

  async function look(): Promise<'done' | 'again'> {
    const db = await database.get();
    if (!isPrepared) {
      await prepare();
      await statements.createPositions(db, group, topics);
      isPrepared = true;
    }
    for (const partition of await statements.takePartitions(db, group, topics, holder)) {
      const reading = read(db, partition).catch((error) => {
        log.error({ err: error, group, ...partition }, 'a partition could not be read to its end; it is tried again');
      });
      underWay.add(reading);
      reading.finally(() => underWay.delete(reading));
    }
    return 'done';
  }

  /** To the end of the partition, batch by batch. */
  async function read(db: Database, held: statements.HeldPartition): Promise<void> {
    let { nextOffset } = held;
    try {
      while (!isStopping) {
        const batch = await statements.readMessages(db, { ...held, nextOffset }, MOST_TOGETHER);
        if (batch.length === 0 || !(await isHandled(batch))) return;
        nextOffset += batch.length;
        const isOurs = await statements.movePosition(db, group, held, nextOffset, holder);
        if (batch.length < MOST_TOGETHER || !isOurs) return;
      }
    } finally {
      await statements.releasePartition(db, group, held, holder);
    }
  }

  /** False: they are the first of the next look. */
  async function isHandled(batch: readonly Message[]): Promise<boolean> {
    try {
      await options.handle(batch);
      return true;
    } catch (error) {
      log.error(
        { err: error, group, topic: batch[0]!.topic },
        'records could not be handled now; they are tried again',
      );
      return false;
    }
  }

  const loop = startLoop({ name: `reader of ${group}`, intervalMs: pollMs, runOnce: look, log });
  return {
    async stop() {
      isStopping = true;
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}
