/** Why the stores that a process uses are unavailable: not there yet, or away since. */
import type { Config } from '../config/config.ts';
import type { StoreName } from '../operations/readiness.ts';
import type { Beginning } from '../platform/concurrency/beginning.ts';
import type { Tier1Store } from '../tier1/store/tier1-store.ts';
import type { Selling } from './open-shop.ts';
import { storesOf } from './role-stores.ts';
import type { Stores } from './stores.ts';

export type FindFaults = () => Promise<Partial<Record<StoreName, string>>>;

export interface StoreFaultsOptions {
  config: Pick<Config, 'roles' | 'redis' | 'tier1'>;
  beginning: Beginning;
  stores: Pick<Stores, 'store'>;
  tier1: Pick<Tier1Store, 'fault'>;
  shop: Pick<Selling, 'database' | 'records'> | undefined;
}

export function createFindFaults({ config, beginning, stores, tier1, shop }: StoreFaultsOptions): FindFaults {
  const { uses } = storesOf(config.roles);
  // With Redis, tier 1 shares the connection of the line, which reports it.
  const isShared = config.redis !== undefined && config.tier1.dynamodb === undefined;
  const current: Record<StoreName, () => string | undefined | Promise<string | undefined>> = {
    line: () => stores.store.fault(),
    tier1: () => (isShared ? undefined : tier1.fault()),
    database: () => shop?.database.findFault(),
    records: () => shop?.records.log.findFault(),
    // Once its keys were read, they are kept: an identity provider that is away keeps nobody out.
    issuer: () => undefined,
  };
  return async () => {
    const found = await Promise.all(
      uses.map(async (store) => [store, beginning.faultOf(store) ?? (await current[store]())] as const),
    );
    return Object.fromEntries(found.filter(([, fault]) => fault !== undefined));
  };
}
