/** Checks Redis: connection, version, eviction policy, persistence, memory, replicas, clock. */
import type { Redis } from 'ioredis';
import { createRedisClient } from '../platform/redis/connect.ts';
import { awaitReady, closeClient } from '../platform/redis/connection.ts';
import type { RedisAddress } from '../platform/redis/redis-address.ts';
import { mastersOf, nameOfServer } from '../platform/redis/scripts.ts';
import { type Check, ok, problem, warning } from './check.ts';
import { checkClock } from './check-clock.ts';

const READY_WITHIN_MS = 5_000;
const OLDEST_MAJOR = 7;
const FULL_SHARE = 0.8;

export async function checkRedis(address: RedisAddress, waitReplicas: number): Promise<Check[]> {
  const client = createRedisClient(address);
  client.on('error', () => {});
  try {
    await awaitReady(client, READY_WITHIN_MS);
    const nodes = await Promise.all(mastersOf(client).map((node) => checkNode(node, waitReplicas)));
    return [...('cluster' in address ? [await checkCluster(mastersOf(client)[0]!)] : []), ...nodes.flat()];
  } catch (error) {
    return [
      problem(
        'Redis',
        (error as Error).message,
        'check REDIS_URL, REDIS_CLUSTER or REDIS_SENTINELS and that the server is reachable from here',
      ),
    ];
  } finally {
    await closeClient(client);
  }
}

async function checkCluster(node: Redis): Promise<Check> {
  const info = toMap(String(await node.cluster('INFO')));
  const state = info.get('cluster_state') ?? 'unknown';
  const found = `${state}, ${info.get('cluster_size') ?? '?'} masters`;
  return state === 'ok'
    ? ok('Redis Cluster', found)
    : problem('Redis Cluster', found, 'some slots have no master: see CLUSTER NODES');
}

async function checkNode(node: Redis, waitReplicas: number): Promise<Check[]> {
  const where = nameOfServer(node).replace(' at ', ' ');
  const clock = await checkClock(`${where} clock`, () => timeOf(node), Date.now);
  const info = await node.info().then(toMap, () => undefined);
  if (info === undefined) {
    const advice = 'allow INFO for this user, or check by hand: version 7 or later, maxmemory-policy noeviction';
    return [warning(where, 'INFO not permitted', advice), clock];
  }
  return [
    checkVersion(where, info),
    checkPolicy(where, info),
    checkPersistence(where, info),
    ...checkMemory(where, info),
    ...checkReplicas(where, info, waitReplicas),
    clock,
  ];
}

async function timeOf(node: Redis): Promise<number> {
  const [seconds, micros] = await node.time();
  return Number(seconds) * 1000 + Number(micros) / 1000;
}

type Info = ReadonlyMap<string, string>;

function checkVersion(where: string, info: Info): Check {
  const valkey = info.get('valkey_version');
  const version = info.get('redis_version') ?? 'unknown';
  const found = valkey === undefined ? version : `Valkey ${valkey}`;
  return Number.parseInt(version, 10) >= OLDEST_MAJOR
    ? ok(`${where} version`, found)
    : problem(`${where} version`, found, 'upgrade to Redis 7.0 or later, or to Valkey');
}

function checkPolicy(where: string, info: Info): Check {
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  const what = `${where} maxmemory-policy`;
  if (policy === 'noeviction') return ok(what, policy);
  return problem(what, policy, 'CONFIG SET maxmemory-policy noeviction: other policies can evict visitors’ places');
}

function checkPersistence(where: string, info: Info): Check {
  const what = `${where} appendonly`;
  return info.get('aof_enabled') === '1'
    ? ok(what, 'on')
    : warning(what, 'off', 'CONFIG SET appendonly yes: without it a restart of Redis loses every line');
}

function checkMemory(where: string, info: Info): Check[] {
  const [used, most] = [Number(info.get('used_memory')), Number(info.get('maxmemory'))];
  if (!(most > 0)) return [];
  const found = `${Math.round((used / most) * 100)} % of maxmemory used`;
  const advice = 'raise maxmemory: when it is full, nobody can join';
  return [used / most < FULL_SHARE ? ok(`${where} memory`, found) : warning(`${where} memory`, found, advice)];
}

function checkReplicas(where: string, info: Info, waitReplicas: number): Check[] {
  const replicas = Number(info.get('connected_slaves') ?? 0);
  if (waitReplicas === 0) return [];
  const found = `${replicas} connected, REDIS_WAIT_REPLICAS=${waitReplicas}`;
  return replicas >= waitReplicas
    ? [ok(`${where} replicas`, found)]
    : [
        problem(
          `${where} replicas`,
          found,
          'connect more replicas, or lower REDIS_WAIT_REPLICAS: until then nobody can join',
        ),
      ];
}

function toMap(text: string): Map<string, string> {
  return new Map(text.split('\r\n').map((line) => line.split(/:(.*)/s, 2) as [string, string]));
}
