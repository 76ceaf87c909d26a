import { randomBytes } from 'node:crypto';
import { DescribeTableCommand, DescribeTimeToLiveCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { StoreUnavailableError } from '../../../src/platform/store-unavailable-error.ts';
import { createDynamoDbClient } from '../../../src/tier1/store/dynamodb/connect.ts';
import { DynamoDbTier1Store } from '../../../src/tier1/store/dynamodb/dynamodb-tier1-store.ts';
import { createTables } from '../../../src/tier1/store/dynamodb/tables.ts';
import { type DynamoDbServer, describeWithDynamoDb, startDynamoDb } from '../../support/dynamodb-server.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { describeTier1Store, switchOn } from '../tier1-store-contract.ts';

describeWithDynamoDb('on a DynamoDB server', () => {
  let server: DynamoDbServer;
  beforeAll(async () => {
    server = await startDynamoDb();
  });
  afterAll(() => server?.stop());

  function connect(): DynamoDBClient {
    const client = createDynamoDbClient(server.endpoint);
    onTestFinished(() => client.destroy());
    return client;
  }

  describeTier1Store('the DynamoDB store', () => {
    const clock = createTestClock();
    return {
      async open() {
        const client = connect();
        const prefix = `test-${randomBytes(6).toString('hex')}`;
        await createTables(client, prefix);
        return new DynamoDbTier1Store({ client, prefix, placeTtlMs: 60_000, clock });
      },
      advance: (ms) => clock.advance(ms),
    };
  });

  describe('the tables', () => {
    it('are created once, with their indexes and TTL', async () => {
      const client = connect();
      expect(await createTables(client, 'made')).toEqual(['made-vwr-counters', 'made-vwr-positions']);
      expect(await createTables(client, 'made')).toEqual([]);
      const { Table } = await client.send(new DescribeTableCommand({ TableName: 'made-vwr-positions' }));
      expect(Table?.KeySchema?.map(({ AttributeName }) => AttributeName)).toEqual(['eventId', 'requestId']);
      expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['eventId-position-index']);
      const ttl = await client.send(new DescribeTimeToLiveCommand({ TableName: 'made-vwr-positions' }));
      expect(ttl.TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
    });

    it('keep one position for a device that requests at two instances at once', async () => {
      const [one, other] = [connect(), connect()];
      await createTables(one, 'twice');
      const clock = createTestClock();
      const stores = [one, other].map(
        (client) => new DynamoDbTier1Store({ client, prefix: 'twice', placeTtlMs: 60_000, clock }),
      );
      await switchOn(stores[0]!);
      const outcomes = await Promise.all(stores.map((store) => store.assign('concert', ['a'])));
      const positions = outcomes.map((outcome) => outcome.outcome === 'assigned' && outcome.positions[0]);
      expect(positions[0]).toBe(positions[1]);
    });
  });

  it('reports missing tables as a fault, and recovers once they exist', async () => {
    const client = connect();
    const store = new DynamoDbTier1Store({ client, prefix: 'late', placeTtlMs: 60_000, clock: createTestClock() });
    await expect(store.findCounters('concert')).rejects.toThrow(StoreUnavailableError);
    expect(store.fault()).toMatch(/DynamoDB/);
    await createTables(client, 'late');
    expect(await store.findCounters('concert')).toBeUndefined();
    expect(store.fault()).toBeUndefined();
  });
});
