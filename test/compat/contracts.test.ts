/** Runs the contracts of all systems on every store of the line. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithPostgres, type PostgresDatabases, sharedPostgres } from '../support/postgres-server.ts';
import {
  describeWithRedis,
  type RedisCluster,
  type RedisServer,
  startRedis,
  startRedisCluster,
} from '../support/redis-server.ts';
import { type RunningApp, startApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';
import type { Contract } from './contract.ts';
import { ContractClient } from './contract-client.ts';
import { putEventOnSale } from './put-event-on-sale.ts';

const folder = new URL('./contracts/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
const contracts: Contract[] = await Promise.all(
  files.map(async (name) => ((await import(new URL(name, folder).href)) as { contract: Contract }).contract),
);

/** `prepare` empties the store of the line and returns the settings that name the stores. */
function describeContracts(prepare: (contract: Contract) => Promise<Record<string, string>>): void {
  describe.each(contracts)('$name', (contract) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'fairline-contract-'));
    let app: RunningApp;
    let client: ContractClient;
    beforeAll(async () => {
      const shop = contract.shop === true ? { SHOP: 'on' } : {};
      const env = { ...secrets, ...shop, ...contract.env, ...(await prepare(contract)) };
      app = await startApp({ env, dataDir, room: contract.room ?? {} });
      if (contract.shop === true) await putEventOnSale(app.context);
      client = new ContractClient(app.url);
    });
    afterAll(async () => {
      await app.stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    });

    it.each(contract.exchanges)('$name', async (exchange) => {
      expect(await client.run(exchange), exchange.next).toEqual([]);
    });
  });
}

describe('contracts in memory', () => describeContracts(async () => ({})));

describeWithPostgres('contracts with PostgreSQL', () => {
  let postgres: PostgresDatabases;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });
  const database = async ({ shop }: Contract) =>
    shop === true ? { DATABASE_URL: await postgres.createDatabase() } : ({} as Record<string, string>);

  describeWithRedis('in Redis', () => {
    let redis: RedisServer;
    beforeAll(async () => {
      redis = await startRedis();
    });
    afterAll(() => redis.stop());
    describeContracts(async (contract) => {
      empty(redis);
      return { REDIS_URL: redis.url, ...(await database(contract)) };
    });
  });

  describeWithRedis('in a Redis cluster', () => {
    let cluster: RedisCluster;
    beforeAll(async () => {
      cluster = await startRedisCluster();
    });
    afterAll(() => cluster.stop());
    describeContracts(async (contract) => {
      for (const server of cluster.servers) empty(server);
      return { REDIS_CLUSTER: cluster.addresses, ...(await database(contract)) };
    });
  });
});

/** A replica of a cluster refuses; its master empties it. */
function empty({ port }: RedisServer): void {
  execFileSync('redis-cli', ['-p', `${port}`, 'FLUSHALL'], { timeout: 10_000 });
}
