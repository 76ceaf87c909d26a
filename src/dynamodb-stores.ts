/** Tier 1's numbers in DynamoDB, whatever the lines are in. */
import type { Config, DynamoDbConfig } from './config.ts';
import { createDynamoDbClient } from './edge/dynamodb/connect.ts';
import { DynamoDbEdgeStore } from './edge/dynamodb/dynamodb-edge-store.ts';
import { createTables, findMissingTables } from './edge/dynamodb/tables.ts';
import type { EdgeStore } from './edge/edge-store.ts';
import type { Clock } from './platform/clock.ts';

export function openDynamoDbEdge({ edge }: Pick<Config, 'edge'>, dynamodb: DynamoDbConfig, clock: Clock): EdgeStore {
  const { prefix, endpoint } = dynamodb;
  return new DynamoDbEdgeStore({ client: createDynamoDbClient(endpoint), prefix, placeTtlMs: edge.placeTtlMs, clock });
}

/** The names of the tables that were missing and have been made. */
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
