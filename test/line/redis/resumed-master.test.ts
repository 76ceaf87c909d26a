import { type Cluster, Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { createLineMetrics } from '../../../src/line/line-metrics.ts';
import { runAdmitterOnce } from '../../../src/line/roles/admitter.ts';
import type { RedisLineStore } from '../../../src/line/store/redis/redis-line-store.ts';
import { entryKey } from '../../../src/line/store/redis/scripts/keys.ts';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import {
  describeWithRedis,
  type RedisCluster,
  type RedisServer,
  startRedisCluster,
} from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';
import { openRedisStore } from './open-redis-store.ts';

const EVENT = 'concert';
/** Of the admitters. Expected while a server is stopped; shown if the test fails. */
const failures: string[] = [];

describeWithRedis('a master of a cluster that is stopped, and resumes when its replica has taken over', () => {
  let cluster: RedisCluster | undefined;
  afterEach(async () => {
    await cluster?.stop();
    cluster = undefined;
  });

  it('admits nobody beside the new one, and takes no process back to an earlier tick', {
    timeout: 120_000,
  }, async () => {
    cluster = await startRedisCluster();
    const open = () => openRedisStore({ cluster: cluster!.addresses }, { tickMs: 300 });
    const [late, reader] = [await open(), await open()];
    await late.putRoom(EVENT, { maxActive: 0, batchSize: 5 });
    await Promise.all(Array.from({ length: 200 }, (_, i) => late.join(EVENT, `v${i}`)));
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    const seen = readPulses(reader, stopping.signal);
    await admitOnce(late);
    await until('a pulse', async () => (await seen.last()) > 0);
    await late.putRoom(EVENT, { maxActive: 150 });

    const old = await masterOf(cluster, entryKey(EVENT));
    const lock = await until('the lock', () => late.tryLockAdmission(EVENT));
    const admittedByOld = await watchEntries(old);
    await until('the replica to have it all', () => isReplicated(old));
    old.pause();
    // Held up in the stopped server until it resumes.
    const heldUp = late.tick(EVENT, lock).catch(() => undefined);
    await until('a new master', async () => (await masterOf(cluster!, entryKey(EVENT)).catch(() => old)) !== old);
    const others = [await open(), await open()];
    const admitters = [late, ...others].map((store) => admitUntil(store, stopping.signal));
    await until('ticks on the new master', () => isAnyoneInside(others[0]!)).catch(async (error: Error) => {
      const room = await others[0]!.findRoom(EVENT).catch(String);
      throw new Error(`${error.message}; room ${JSON.stringify(room)}; last failures ${failures.slice(-5).join('; ')}`);
    });
    old.resume();
    await until('the old master to follow the new one', () => isReplica(old));
    await until('everyone to be admitted', async () => (await countInside(others[0]!)) === 150);
    const ticked = (await others[0]!.findPulse(EVENT))!.at;
    await until('the reader to reach the new master', async () => (await seen.last()) >= ticked);
    stopping.abort();
    await Promise.all([heldUp, ...admitters]);

    expect(await admittedByOld(), 'admitted by the old master after it resumed').toEqual([]);
    const numbers = await numbersInStream(cluster);
    expect(numbers).toEqual(Array.from({ length: 150 }, (_, i) => i + 1));
    const ticks = await seen.all();
    expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
  });
});

async function admitOnce(store: RedisLineStore): Promise<void> {
  const metrics = createLineMetrics(new Registry(), store);
  await runAdmitterOnce({ admissions: store, draws: store, metrics }).catch((error: Error) => {
    failures.push(`${new Date().toISOString()} ${error.message}`);
  });
}

async function admitUntil(store: RedisLineStore, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await admitOnce(store);
    await pause();
  }
}

async function isAnyoneInside(store: RedisLineStore): Promise<boolean> {
  return (await countInside(store)) > 0;
}

async function countInside(store: RedisLineStore): Promise<number> {
  const room = await store.findRoom(EVENT).catch(() => undefined);
  return room?.crowd.admitted ?? 0;
}

/** Reads the pulse all the time, as a line process does. */
function readPulses(store: RedisLineStore, signal: AbortSignal) {
  const ticks: number[] = [0];
  const loop = (async () => {
    while (!signal.aborted) {
      const pulse = await store.findPulse(EVENT).catch(() => undefined);
      if (pulse !== undefined) ticks.push(pulse.at);
      await pause();
    }
  })();
  return {
    last: async () => ticks.at(-1)!,
    all: async () => {
      await loop;
      return ticks;
    },
  };
}

/** What this server itself appends from now on, over a connection of our own. Call the result to end it. */
async function watchEntries(server: RedisServer): Promise<() => Promise<unknown[]>> {
  const client = new Redis(server.port, '127.0.0.1', { retryStrategy: null });
  client.on('error', () => {});
  await client.ping();
  const appended: unknown[] = [];
  // Ends when the server is a master no longer: it then refuses to wait for entries.
  const reading = (async () => {
    for (let last = '$'; ; ) {
      const [stream] = (await client.xread('BLOCK', 0, 'STREAMS', entryKey(EVENT), last)) ?? [];
      appended.push(...stream![1].map(([, fields]) => fields));
      last = stream![1].at(-1)![0];
    }
  })().catch(() => {});
  return async () => {
    client.disconnect();
    await reading;
    return appended;
  };
}

async function numbersInStream(cluster: RedisCluster): Promise<number[]> {
  const client = await connect(cluster);
  const entries = await client.xrange(entryKey(EVENT), '-', '+');
  client.disconnect();
  return entries.map(([, fields]) => Number(fields[3]));
}

async function masterOf(cluster: RedisCluster, key: string): Promise<RedisServer> {
  const client = await connect(cluster);
  const slot = Number(await client.cluster('KEYSLOT', key));
  const ranges = await client.cluster('SLOTS');
  client.disconnect();
  const [, , master] = ranges.find(([from, to]) => from <= slot && slot <= to)!;
  return cluster.servers.find((server) => server.port === master?.[1])!;
}

/** On a busy machine a replica may still be loading: it would take over without the line. */
async function isReplicated(master: RedisServer): Promise<boolean> {
  const client = new Redis(master.port, '127.0.0.1', { retryStrategy: null });
  client.on('error', () => {});
  try {
    const [, offset] = /master_repl_offset:(\d+)/.exec(await client.info('replication')) ?? [];
    const [, acked] = /slave0:.*state=online,offset=(\d+)/.exec(await client.info('replication')) ?? [];
    return offset !== undefined && acked !== undefined && Number(acked) >= Number(offset);
  } finally {
    client.disconnect();
  }
}

async function isReplica(server: RedisServer): Promise<boolean> {
  const client = new Redis(server.port, '127.0.0.1', { retryStrategy: null });
  client.on('error', () => {});
  try {
    return (await client.info('replication')).includes('role:slave');
  } finally {
    client.disconnect();
  }
}

async function connect(cluster: RedisCluster): Promise<Cluster> {
  const client = createRedisClient({ cluster: cluster.addresses }) as Cluster;
  await until('a connection', () => client.status === 'ready');
  return client;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
