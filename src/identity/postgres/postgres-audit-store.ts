/** Audit entries in the database. A trigger numbers and chains them; another refuses to change or remove them. */
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { ChainCheck, type ChainHead, type ChainReport, type Link, toCanonicalJson } from '../audit-chain.ts';
import type { AuditQuery, ChainedEntry, WrittenEntry } from '../audit-entries.ts';

const BATCH = 1_000;

interface Row {
  seq: string | number | bigint;
  entry: string;
  event_id: string | null;
  hash: string;
}

/** Opens the database. Both statements and batches are short. */
export type GetDatabase = () => Promise<Database>;

export class PostgresAuditStore {
  readonly #get: GetDatabase;

  constructor(get: GetDatabase) {
    this.#get = get;
  }

  async append(entry: WrittenEntry): Promise<void> {
    await sql`insert into audit_entries (entry, event_id) values (${toCanonicalJson(entry)}, ${entry.eventId ?? null})`.execute(
      await this.#get(),
    );
  }

  /** In their order; those that are there already are left out, so it is safe to repeat. */
  async appendMissing(entries: readonly WrittenEntry[]): Promise<void> {
    const texts = entries.map(toCanonicalJson);
    const eventIds = entries.map(({ eventId }) => eventId ?? null);
    await sql`
      insert into audit_entries (entry, event_id)
      select given.entry, given.event_id
      from unnest(${texts}::text[], ${eventIds}::text[]) with ordinality as given (entry, event_id, n)
      where not exists (select from audit_entries known where known.entry = given.entry)
      order by given.n`.execute(await this.#get());
  }

  async readLatest({ eventId, by, actions, since, limit }: AuditQuery): Promise<ChainedEntry[]> {
    const wanted = [
      sql`true`,
      ...(eventId === undefined ? [] : [sql`event_id = ${eventId}`]),
      ...(by === undefined ? [] : [sql`entry::jsonb ->> 'by' = ${by}`]),
      ...(actions === undefined ? [] : [sql`entry::jsonb ->> 'action' = any(${[...actions]}::text[])`]),
      ...(since === undefined ? [] : [sql`(entry::jsonb ->> 'at')::timestamptz >= ${since}::timestamptz`]),
    ];
    const { rows } = await sql<Row>`
      select seq, entry, event_id, hash from audit_entries where ${sql.join(wanted, sql` and `)}
      order by seq desc limit ${limit}`.execute(await this.#get());
    return rows.map(({ seq, entry, hash }) => ({ ...(JSON.parse(entry) as WrittenEntry), seq: Number(seq), hash }));
  }

  async findHead(): Promise<ChainHead | undefined> {
    const [head] = await this.readLatest({ limit: 1 });
    return head && { seq: head.seq!, hash: head.hash! };
  }

  async checkChain(anchor?: ChainHead): Promise<ChainReport> {
    const check = new ChainCheck(anchor);
    for await (const { event_id, ...link } of this.readAll()) {
      const eventId = (JSON.parse(link.entry) as WrittenEntry).eventId ?? null;
      const goesOn =
        eventId === event_id ? check.add(link) : check.addUnreadable('its column event_id differs from the entry');
      if (!goesOn) break;
    }
    return check.report();
  }

  /** Oldest first. */
  async *readAll(): AsyncGenerator<Link & Pick<Row, 'event_id'>> {
    const database = await this.#get();
    for (let after = 0; ; ) {
      const { rows } = await sql<Row>`
        select seq, entry, event_id, hash from audit_entries where seq > ${after} order by seq limit ${BATCH}`.execute(
        database,
      );
      for (const { seq, ...row } of rows) yield { ...row, seq: Number(seq) };
      if (rows.length < BATCH) return;
      after = Number(rows.at(-1)!.seq);
    }
  }
}
