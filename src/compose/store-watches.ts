/** One pass each of the loops that notice when a store is away or back. */
import type { Logger } from 'pino';
import type { LazyDatabase } from '../platform/database/lazy-database.ts';
import type { Tier1Store } from '../tier1/store/tier1-store.ts';

/** DynamoDB has no connection whose state we could see. Without a request nobody would learn that it is back. */
export async function watchTier1(store: Pick<Tier1Store, 'fault' | 'listActive'>): Promise<'done'> {
  if (store.fault() !== undefined) await store.listActive().catch(() => {});
  return 'done';
}

/** Logs one line when the server is away and one when it is back, and lets it be checked again then. */
export function createDatabaseWatch(database: Pick<LazyDatabase, 'findFault'>, log: Logger): () => Promise<'done'> {
  let isAway = false;
  return async () => {
    const fault = await database.findFault();
    if (fault !== undefined && !isAway) log.warn(fault);
    if (fault === undefined && isAway) log.info('PostgreSQL is back');
    isAway = fault !== undefined;
    return 'done';
  };
}
