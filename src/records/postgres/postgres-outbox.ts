/** The outbox as a table. Lanes are lent for a time by the database's clock, which all relays share. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import type { Lane, Outbox, WaitingRecord } from '../outbox.ts';
import { fromRow, type Row } from './message-rows.ts';

/** How long a relay may take with a batch before others think it dead. */
const LEASE_SECONDS = 20;

export class PostgresOutbox implements Outbox {
  readonly #database: LazyDatabase;
  readonly #batchSize: number;

  constructor(database: LazyDatabase, batchSize = 500) {
    this.#database = database;
    this.#batchSize = batchSize;
  }

  async takeLane(): Promise<Lane | undefined> {
    const db = await this.#database.get();
    const holder = randomUUID();
    const { rows: taken } = await sql<{ lane: number }>`
      update outbox_lanes set holder = ${holder}, held_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      where lane = (
        select l.lane from outbox_lanes l
        where l.held_until <= clock_timestamp() and exists (select 1 from outbox o where o.lane = l.lane)
        order by l.held_until limit 1 for update skip locked
      ) returning lane`.execute(db);
    if (taken[0] === undefined) return undefined;
    const { lane } = taken[0];
    const { rows } = await sql<Row<WaitingRecord>>`
      select id::text, topic, key, value, headers from outbox where lane = ${lane}
      order by outbox.id limit ${this.#batchSize}`.execute(db);
    return {
      waiting: rows.map((row) => fromRow<WaitingRecord>(row)),
      async remove(records) {
        const ids = records.map(({ id }) => id);
        await sql`delete from outbox where lane = ${lane} and id = any(${ids}::bigint[])`.execute(db);
      },
      async release() {
        await sql`
          update outbox_lanes set holder = null, held_until = clock_timestamp() where lane = ${lane} and holder = ${holder}
        `.execute(db);
      },
    };
  }

  async measure() {
    const { rows } = await sql<{ waiting: number; oldest: number }>`
      select count(*)::int as waiting,
        coalesce(extract(epoch from clock_timestamp() - min(created_at)) * 1000, 0)::float8 as oldest
      from outbox`.execute(await this.#database.get());
    return { waiting: rows[0]!.waiting, oldestMs: rows[0]!.oldest };
  }
}
