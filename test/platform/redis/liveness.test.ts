import type { Cluster, Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import { awaitReady } from '../../../src/platform/redis/connection.ts';
import { keySlot } from '../../../src/platform/redis/key-slot.ts';
import { Liveness } from '../../../src/platform/redis/liveness.ts';
import type { RedisAddress } from '../../../src/platform/redis/redis-address.ts';
import { StoreUnavailableError } from '../../../src/platform/store-unavailable-error.ts';
import { describeWithRedis, startRedis, startRedisCluster } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';

async function connect<T extends Redis | Cluster>(address: RedisAddress) {
  const client = createRedisClient(address) as T;
  client.on('error', () => {});
  await awaitReady(client);
  const liveness = new Liveness(client);
  onTestFinished(() => {
    liveness.stop();
    client.disconnect();
  });
  return { client, liveness };
}

describeWithRedis('a Redis server that hangs', () => {
  it('fails the calls under way before their own timeout, then at once, and works again by itself', async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const { client, liveness } = await connect<Redis>(server);
    await liveness.run(() => client.set('a', '1'));
    server.pause();
    // The timeout of a command would say "Command timed out".
    await expect(liveness.run(() => client.get('a'))).rejects.toThrow(/127\.0\.0\.1:\d+ does not answer/);
    let hasRun = false;
    const later = liveness.run(async () => {
      hasRun = true;
    });
    await expect(later).rejects.toThrow(StoreUnavailableError);
    expect(hasRun, 'a call while it is known').toBe(false);

    server.resume();
    await until('the server to be used again', () => liveness.fault() === undefined);
    expect(await liveness.run(() => client.get('a'))).toBe('1');
  });

  it('is not confused with one connection that waits for replicas', async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const { client, liveness } = await connect<Redis>(server);
    await client.set('a', '1');
    expect(await liveness.run(() => client.wait(1, 1_000))).toBe(0);
    expect(liveness.fault()).toBeUndefined();
  });

  it('is found again after a restart', async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const { client, liveness } = await connect<Redis>(server);
    server.pause();
    await until('the hang to be known', () => liveness.fault() !== undefined);
    await server.kill();
    await server.start();
    await until('the new server to be used', () => liveness.fault() === undefined);
    expect(await liveness.run(() => client.ping())).toBe('PONG');
  });
});

describeWithRedis('a master of a cluster that hangs', () => {
  it('fails the calls to its keys, not those to others, and gives way to its replica', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.stop());
    const { client, liveness } = await connect<Cluster>({ cluster: cluster.addresses });
    const masterOf = (key: string) => client.slots[keySlot(key)]![0]!;
    const own = '{concert}:room';
    const other = ['a', 'b', 'c', 'd', 'e', 'f'].find((key) => masterOf(key) !== masterOf(own))!;
    for (const key of [own, other]) await liveness.run(() => client.set(key, '1'), key);
    await until('both to be pinged', () => [own, other].every((key) => liveness.fault(key) === undefined));

    const hanging = cluster.servers.find(({ port }) => masterOf(own).endsWith(`:${port}`))!;
    hanging.pause();
    await expect(liveness.run(() => client.get(own), own)).rejects.toThrow(/does not answer/);
    expect(await liveness.run(() => client.get(other), other)).toBe('1');
    const read = () => liveness.run(() => client.get(own), own).catch(() => undefined);
    await until('its replica to take over', async () => (await read()) === '1');
    expect(masterOf(own).endsWith(`:${hanging.port}`)).toBe(false);
  });

  it('is found by the slot of a key, as Redis computes it', async () => {
    const server = await startRedis('--cluster-enabled', 'yes');
    onTestFinished(() => server.stop());
    const { client } = await connect<Redis>(server);
    for (const key of ['a', '{concert}:room', 'x{}y', '{{a}}', 'queue:rooms', '{콘서트}:pulse', 'a{b}c{d}']) {
      expect(keySlot(key), key).toBe(await client.cluster('KEYSLOT', key));
    }
  });
});
