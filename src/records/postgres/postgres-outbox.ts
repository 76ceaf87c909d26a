/**
 * The outbox as a table. Partitions are leased by the database's clock, which all relays share. The columns and the table of
 * leases have an older word for partition: `lane`, `outbox_lanes`.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import type { Outbox, OutboxPartition, WaitingRecord } from '../outbox.ts';
import { fromRow, type Row } from './message-rows.ts';

/** A relay that takes longer with a batch loses the partition to another. */
const LEASE_SECONDS = 20;

export class PostgresOutbox implements Outbox {
  readonly #database: LazyDatabase;
  readonly #batchSize: number;

  constructor(database: LazyDatabase, batchSize = 500) {
    this.#database = database;
    this.#batchSize = batchSize;
  }

  async takePartition(): Promise<OutboxPartition | undefined> {
    const holder = randomUUID();
    const { rows: taken } = await sql<{ partition: number }>`
      update outbox_lanes set holder = ${holder}, held_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      where lane = (
        select l.lane from outbox_lanes l
        where l.held_until <= clock_timestamp() and exists (select 1 from outbox o where o.lane = l.lane)
        order by l.held_until limit 1 for update skip locked
      ) returning lane as partition`.execute(await this.#database.poll());
    if (taken[0] === undefined) return undefined;
    const db = await this.#database.get();
    const { partition } = taken[0];
    const { rows } = await sql<Row<WaitingRecord>>`
      select id::text, topic, key, value, headers from outbox where lane = ${partition}
      order by outbox.id limit ${this.#batchSize}`.execute(db);
    return {
      waiting: rows.map((row) => fromRow<WaitingRecord>(row)),
      async remove(records) {
        const ids = records.map(({ id }) => id);
        await sql`delete from outbox where lane = ${partition} and id = any(${ids}::bigint[])`.execute(db);
      },
      async release() {
        await sql`
          update outbox_lanes set holder = null, held_until = clock_timestamp() where lane = ${partition} and holder = ${holder}
        `.execute(db);
      },
    };
  }

  async measure() {
    const { rows } = await sql<{ waiting: number; oldest: number }>`
      select count(*)::int as waiting,
        coalesce(extract(epoch from clock_timestamp() - min(created_at)) * 1000, 0)::float8 as oldest
      from outbox`.execute(await this.#database.poll());
    return { waiting: rows[0]!.waiting, oldestMs: rows[0]!.oldest };
  }
}
