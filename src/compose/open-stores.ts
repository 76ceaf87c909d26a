/** Picks the stores of the line and of tier 1 by configuration. Clients are loaded only when configured. */
import type { Tier1Store } from '../tier1/store/tier1-store.ts';
import { openEmbeddedStores } from './embedded-stores.ts';
import type { Stores, StoresOptions } from './stores.ts';

export async function openStores(options: StoresOptions): Promise<Stores> {
  if (options.config.redis === undefined) return openEmbeddedStores(options);
  const { openRedisStores } = await import('./redis-stores.ts');
  return openRedisStores(options, options.config.redis);
}

/** Tier 1 uses the store of the line unless VWR_STORE=dynamodb. */
export async function openTier1Store(stores: Stores, options: StoresOptions): Promise<Tier1Store> {
  const { config, beginning, clock } = options;
  if (config.tier1.dynamodb === undefined) return stores.tier1;
  const { openDynamoDbTier1 } = await import('./dynamodb-stores.ts');
  const store = openDynamoDbTier1(config, config.tier1.dynamodb, clock);
  beginning.add({ name: 'DynamoDB', store: 'tier1', run: () => store.listActive() });
  return store;
}
