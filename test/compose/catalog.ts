/** What a database contains, as lines of text that can be compared: columns, constraints, indexes, sequences, functions. */
import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.ts';

export async function readCatalog(database: Database): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('column %s %s. %s %s %s %s%s', c.relname, row_number() over (partition by c.oid order by a.attnum), a.attname,
      format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
      pg_get_expr(d.adbin, d.adrelid), a.attidentity) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    union all
    select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = 'public'::regnamespace
    union all
    select format('index %s', indexdef) from pg_indexes where schemaname = 'public'
    union all
    select format('sequence %s %s', sequencename, data_type) from pg_sequences where schemaname = 'public'
    union all
    select format('function %s', pg_get_functiondef(oid)) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select format('applied %s', name) from fairline_migrations
    union all
    select format('lane %s', lane) from outbox_lanes
    order by line`.execute(database);
  return rows.map(({ line }) => line);
}
