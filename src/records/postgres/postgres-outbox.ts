/**
 * The outbox as a table. Partitions are leased by the database's clock, which all relays share. The columns and the table of
 * leases have an older word for partition: `lane`, `outbox_lanes`.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import type { Outbox, OutboxPartition, WaitingRecord } from '../outbox.ts';
import { fromRow, type Row } from './message-rows.ts';

/** A relay that does not keep its partition for this long loses it to another. */
const LEASE_MS = 5_000;
const BATCH_SIZE = 500;

export class PostgresOutbox implements Outbox {
  readonly #database: LazyDatabase;
  readonly #leaseMs: number;

  constructor(database: LazyDatabase, { leaseMs = LEASE_MS } = {}) {
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  async takePartition(): Promise<OutboxPartition | undefined> {
    const holder = randomUUID();
    const lease = sql`make_interval(secs => ${this.#leaseMs / 1000})`;
    const { rows: taken } = await sql<{ partition: number }>`
      update outbox_lanes set holder = ${holder}, held_until = clock_timestamp() + ${lease}
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
      order by outbox.id limit ${BATCH_SIZE}`.execute(db);
    return {
      waiting: rows.map((row) => fromRow<WaitingRecord>(row)),
      async remove(records) {
        const ids = records.map(({ id }) => id);
        await sql`delete from outbox where lane = ${partition} and id = any(${ids}::bigint[])`.execute(db);
      },
      async keep() {
        await sql`
          update outbox_lanes set held_until = clock_timestamp() + ${lease} where lane = ${partition} and holder = ${holder}
        `.execute(db);
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
