/** Poster versions in PostgreSQL. */
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { PosterVersions } from '../poster-versions.ts';

export function createPosterVersions(database: LazyDatabase, clock: Clock): PosterVersions {
  return {
    async find(eventId) {
      const { rows } = await sql<{ version: string }>`
        select version from event_posters where event_id = ${eventId}`.execute(await database.get());
      return rows[0]?.version;
    },
    async set(eventId, version) {
      return inTransaction(await database.get(), async (tx) => {
        // Two uploads at once: the second one waits, and removes the files of the first.
        const { rows } = await sql<{ before: string | null }>`
          select p.version as before from events e left join event_posters p on p.event_id = e.id
          where e.id = ${eventId} for update of e`.execute(tx);
        const [found] = rows;
        if (found === undefined) return { outcome: 'no-event' };
        if (version === undefined) await sql`delete from event_posters where event_id = ${eventId}`.execute(tx);
        else {
          await sql`
            insert into event_posters (event_id, version, updated_at)
            values (${eventId}, ${version}, ${new Date(clock.now())})
            on conflict (event_id) do update set version = excluded.version, updated_at = excluded.updated_at
          `.execute(tx);
        }
        return { outcome: 'set', before: found.before ?? undefined };
      });
    },
  };
}
