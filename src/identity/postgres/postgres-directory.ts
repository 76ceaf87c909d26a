/** The directory in PostgreSQL. */
import { sql } from 'kysely';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import type { DirectoryEntry, DirectoryStore } from '../directory/directory-store.ts';

export function createPostgresDirectory(database: LazyDatabase): DirectoryStore {
  return {
    async list(kind) {
      const { rows } = await sql<DirectoryEntry>`
        select id, value from operator_directory where kind = ${kind}`.execute(await database.get());
      return rows;
    },
    async create(kind, id, value) {
      const { rows } = await sql`
        insert into operator_directory (kind, id, value) values (${kind}, ${id}, ${JSON.stringify(value)}::jsonb)
        on conflict do nothing returning 1`.execute(await database.get());
      return rows.length > 0;
    },
    async put(kind, id, value) {
      await sql`
        insert into operator_directory (kind, id, value) values (${kind}, ${id}, ${JSON.stringify(value)}::jsonb)
        on conflict (kind, id) do update set value = excluded.value`.execute(await database.get());
    },
    async remove(kind, id) {
      const { rows } = await sql`
        delete from operator_directory where kind = ${kind} and id = ${id} returning 1`.execute(await database.get());
      return rows.length > 0;
    },
    // The database belongs to the shop.
    async close() {},
  };
}
