/** Creates missing tables. Safe to run concurrently. */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { ACTIVE_INDEX, POSITION_INDEX, tablesOf } from './rows.ts';

const WAIT_SECONDS = 120;

/** Returns the names of the tables it created. */
export async function createTables(client: DynamoDBClient, prefix: string): Promise<string[]> {
  const { counters, positions } = tablesOf(prefix);
  const created: string[] = [];
  for (const table of [countersTable(counters), positionsTable(positions)]) {
    if (await create(client, table)) created.push(table.TableName!);
  }
  await expirePositions(client, positions);
  return created;
}

/** Returns the names of missing tables. */
export async function findMissingTables(client: DynamoDBClient, prefix: string): Promise<string[]> {
  const missing: string[] = [];
  for (const TableName of Object.values(tablesOf(prefix))) {
    try {
      await client.send(new DescribeTableCommand({ TableName }));
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      missing.push(TableName);
    }
  }
  return missing;
}

function countersTable(TableName: string): CreateTableCommandInput {
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'eventId', AttributeType: 'S' },
      { AttributeName: 'active', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'eventId', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: ACTIVE_INDEX,
        KeySchema: [
          { AttributeName: 'active', KeyType: 'HASH' },
          { AttributeName: 'eventId', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  };
}

function positionsTable(TableName: string): CreateTableCommandInput {
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'eventId', AttributeType: 'S' },
      { AttributeName: 'requestId', AttributeType: 'S' },
      { AttributeName: 'position', AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: 'eventId', KeyType: 'HASH' },
      { AttributeName: 'requestId', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: POSITION_INDEX,
        KeySchema: [
          { AttributeName: 'eventId', KeyType: 'HASH' },
          { AttributeName: 'position', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  };
}

async function create(client: DynamoDBClient, table: CreateTableCommandInput): Promise<boolean> {
  try {
    await client.send(new CreateTableCommand(table));
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: WAIT_SECONDS, minDelay: 1, maxDelay: 2 }, table);
  return true;
}

async function expirePositions(client: DynamoDBClient, TableName: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  const status = TimeToLiveDescription?.TimeToLiveStatus;
  if (status === 'ENABLED' || status === 'ENABLING') return;
  const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}
