/** The DynamoDB store of tier 1, and its tables. */
import type { Config } from '../config/config.ts';
import type { DynamoDbConfig } from '../config/tier1-settings.ts';
import type { Clock } from '../platform/clock.ts';
import { createDynamoDbClient } from '../tier1/store/dynamodb/connect.ts';
import { DynamoDbTier1Store } from '../tier1/store/dynamodb/dynamodb-tier1-store.ts';
import { createTables, findMissingTables } from '../tier1/store/dynamodb/tables.ts';
import type { Tier1Store } from '../tier1/store/tier1-store.ts';

export function openDynamoDbTier1(
  { tier1 }: Pick<Config, 'tier1'>,
  dynamodb: DynamoDbConfig,
  clock: Clock,
): Tier1Store {
  const { prefix, endpoint } = dynamodb;
  return new DynamoDbTier1Store({
    client: createDynamoDbClient(endpoint),
    prefix,
    placeTtlMs: tier1.placeTtlMs,
    clock,
  });
}

/** Creates missing tables; returns their names. */
export async function createDynamoDbTables({ prefix, endpoint }: DynamoDbConfig): Promise<string[]> {
  const client = createDynamoDbClient(endpoint);
  try {
    return await createTables(client, prefix);
  } finally {
    client.destroy();
  }
}

export async function findMissingDynamoDbTables({ prefix, endpoint }: DynamoDbConfig): Promise<string[]> {
  const client = createDynamoDbClient(endpoint);
  try {
    return await findMissingTables(client, prefix);
  } finally {
    client.destroy();
  }
}
