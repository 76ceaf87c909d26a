/** Statistics in PostgreSQL. */
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { type Counts, countNames, type Figures, type Sums, sumNames } from '../figures.ts';
import type { Addition, Span, StatsStore } from '../stats-store.ts';

export interface PostgresStatsStoreOptions {
  database: LazyDatabase;
  /** The zone that days are counted in. */
  timeZone: string;
  /** Whose notes of what was counted are forgotten with the numbers. */
  group: string;
}

const MOST_LISTED = 1_000;
const MONEY = sumNames.map((name) => sql.id(name));
const COUNTS = countNames.map((name) => sql.id(toColumn(name)));

export function createStatsStore({ database, timeZone, group }: PostgresStatsStoreOptions): StatsStore {
  const dayOf = sql<string>`to_char(hour at time zone ${sql.lit(timeZone)}, 'YYYY-MM-DD')`;
  const hourOf = sql<string>`to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

  const within = ({ eventId, from, to, since }: Span) => sql`
    where (${eventId ?? null}::text is null or event_id = ${eventId ?? null})
      and (${from ?? null}::text is null or ${dayOf} >= ${from ?? null})
      and (${to ?? null}::text is null or ${dayOf} <= ${to ?? null})
      and (${since ?? null}::timestamptz is null or hour >= ${since ?? null})`;

  /** By `name`: the figures of each that has any, in order. */
  async function listBy(name: RawBuilder<string>, span: Span): Promise<Map<string, Figures>> {
    const db = await database.get();
    const counts = await sql<Record<string, number> & { name: string }>`
      select ${name} as name, ${sumsOf(COUNTS)} from stats_counts ${within(span)}
      group by 1 order by 1 desc limit ${MOST_LISTED}`.execute(db);
    const money = await sql<Record<string, number> & { name: string; currency: string }>`
      select ${name} as name, currency, ${sumsOf(MONEY)} from stats_money ${within(span)}
      group by 1, 2 order by 1 desc, 2 limit ${MOST_LISTED}`.execute(db);
    const found = new Map<string, Figures>();
    const figuresOf = (key: string) => {
      const known = found.get(key) ?? { counts: zeros(), money: [] };
      found.set(key, known);
      return known;
    };
    for (const row of counts.rows) figuresOf(row.name).counts = toCounts(row);
    for (const row of money.rows) figuresOf(row.name).money.push({ currency: row.currency, ...toSums(row) });
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  return {
    async add(tx, additions) {
      await increase(tx, sql`stats_counts`, ['event_id', 'hour'], addUp(additions.flatMap(toCountsRow)));
      await increase(tx, sql`stats_money`, ['event_id', 'hour', 'currency'], addUp(additions.flatMap(toMoneyRow)));
    },
    async clear() {
      await inTransaction(await database.get(), async (tx) => {
        // Whoever is counting now has either committed, and is forgotten, or counts after us.
        await sql`lock table stats_counts, stats_money in exclusive mode`.execute(tx);
        await sql`delete from stats_counts`.execute(tx);
        await sql`delete from stats_money`.execute(tx);
        await sql`delete from processed_events where consumer_group = ${group}`.execute(tx);
      });
    },
    async total(span) {
      return (await listBy(sql<string>`''`, span)).get('') ?? { counts: zeros(), money: [] };
    },
    async listDays(span) {
      return [...(await listBy(dayOf, span))].map(([day, figures]) => ({ day, ...figures }));
    },
    async listHours(span) {
      return [...(await listBy(hourOf, span))].map(([hour, figures]) => ({ hour, ...figures }));
    },
    async listEvents(span) {
      const found = [...(await listBy(sql<string>`event_id`, span))].filter(([eventId]) => eventId !== '');
      return found.map(([eventId, figures]) => ({ eventId, ...figures }));
    },
  };
}

/** What is added to the row that has this key. */
interface Increase {
  key: readonly string[];
  by: Record<string, number>;
}

function toCountsRow({ at, eventId, counts }: Addition): Increase[] {
  return counts === undefined ? [] : [{ key: [eventId ?? '', hourOfDate(at)], by: toColumns(counts) }];
}

function toMoneyRow({ at, eventId, money }: Addition): Increase[] {
  if (money === undefined) return [];
  const { currency, ...sums } = money;
  return [{ key: [eventId ?? '', hourOfDate(at), currency], by: toColumns(sums) }];
}

/** One for each key, in order of keys: two who count at once lock the same rows in the same order. */
function addUp(increases: readonly Increase[]): Increase[] {
  const sums = new Map<string, Increase>();
  for (const { key, by } of increases) {
    const name = key.join('\n');
    const sum = sums.get(name) ?? { key, by: {} };
    sums.set(name, sum);
    for (const [column, value] of Object.entries(by)) sum.by[column] = (sum.by[column] ?? 0) + value;
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

async function increase(
  tx: Executor,
  table: RawBuilder<unknown>,
  keys: readonly string[],
  increases: readonly Increase[],
): Promise<void> {
  if (increases.length === 0) return;
  const columns = [...new Set(increases.flatMap(({ by }) => Object.keys(by)))];
  const names = sql.join([...keys, ...columns].map((name) => sql.id(name)));
  const rows = sql.join(
    increases.map(({ key, by }) => sql`(${sql.join([...key, ...columns.map((column) => by[column] ?? 0)])})`),
  );
  const sums = sql.join(
    columns.map((name) => sql`${sql.id(name)} = ${table}.${sql.id(name)} + excluded.${sql.id(name)}`),
  );
  const key = sql.join(keys.map((name) => sql.id(name)));
  await sql`insert into ${table} (${names}) values ${rows} on conflict (${key}) do update set ${sums}`.execute(tx);
}

const sumsOf = (columns: readonly RawBuilder<unknown>[]) =>
  sql.join(columns.map((column) => sql`sum(${column})::float8 as ${column}`));

function hourOfDate(at: Date): string {
  return new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000).toISOString();
}

function toColumn(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toColumns(numbers: Partial<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [toColumn(name), value!]));
}

const zeros = (): Counts => Object.fromEntries(countNames.map((name) => [name, 0])) as Counts;

function toCounts(row: Record<string, unknown>): Counts {
  return Object.fromEntries(countNames.map((name) => [name, row[toColumn(name)]])) as Counts;
}

function toSums(row: Record<string, unknown>): Sums {
  return Object.fromEntries(sumNames.map((name) => [name, row[name]])) as Sums;
}
