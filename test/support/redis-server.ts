/** Real Redis servers and clusters for tests, in temporary folders. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, it } from 'vitest';
import { isThere as isInstalled } from './debian-install.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Simulates a crash. */
  kill(): Promise<void>;
  /** Restarts on the same port and folder. */
  start(): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

const HOW_TO_ENABLE = 'needs redis-server 7 or later in the PATH (Debian: apt-get install redis-server)';

let isThere: boolean | undefined;

/** A suite that needs Redis. Without it the suite is skipped with a reason; in CI it fails. */
export function describeWithRedis(name: string, suite: () => void): void {
  isThere ??= isInstalled('redis-server');
  if (isThere) describe(name, suite);
  else if (process.env.CI === 'true') describe(name, failWithoutRedis);
  else describe.skip(`${name}: ${HOW_TO_ENABLE}`, suite);
}

export async function startRedis(...settings: string[]): Promise<RedisServer> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'fairline-redis-'));
  let child: ChildProcess | undefined;
  const server: RedisServer = {
    port,
    url: `redis://127.0.0.1:${port}`,
    async start() {
      if (isRunning(child)) return;
      const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...settings];
      child = spawn('redis-server', args, { stdio: 'ignore' });
      await until(`Redis on port ${port}`, () => answers(port));
    },
    kill: () => end(child, 'SIGKILL'),
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    async stop() {
      child?.kill('SIGCONT');
      await end(child, 'SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
  // An interrupted run does not reach its cleanup.
  process.once('exit', () => child?.kill('SIGKILL'));
  await server.start();
  return server;
}

export interface RedisCluster {
  /** In the format of REDIS_CLUSTER. */
  readonly addresses: string;
  readonly servers: RedisServer[];
  stop(): Promise<void>;
}

/** Three masters with one replica each. */
export async function startRedisCluster(...more: string[]): Promise<RedisCluster> {
  // By default a replica whose master was away for 25 s never takes over: on a busy machine its elections can fail that long.
  const anyReplica = ['--cluster-replica-validity-factor', '0'];
  const timing = ['--cluster-node-timeout', '1500', '--repl-diskless-sync-delay', '0'];
  const settings = ['--cluster-enabled', 'yes', ...timing, ...anyReplica, ...more];
  const servers = await Promise.all(Array.from({ length: 6 }, () => startRedis(...settings)));
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
  execFileSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'], {
    timeout: 30_000,
  });
  for (const { port } of servers)
    await until(`the node on port ${port} to know the cluster`, () => isClusterNode(port));
  return {
    addresses: addresses.join(','),
    servers,
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

function failWithoutRedis(): void {
  it('has a Redis server to run on', () => {
    throw new Error(HOW_TO_ENABLE);
  });
}

async function isClusterNode(port: number): Promise<boolean> {
  const [cluster, replication] = await ask(port, (client) =>
    Promise.all([client.cluster('INFO'), client.info('replication')]),
  );
  const hasReplica = replication.includes('role:master') ? replication.includes('state=online') : true;
  return String(cluster).includes('cluster_state:ok') && hasReplica && !replication.includes('master_link_status:down');
}

async function answers(port: number): Promise<boolean> {
  return ask(port, (client) => client.ping()).then(
    () => true,
    () => false,
  );
}

/** Runs commands on a new connection. */
async function ask<T>(port: number, run: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis({
    port,
    host: '127.0.0.1',
    lazyConnect: true,
    retryStrategy: null,
    disableClientInfo: true,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await run(client);
  } finally {
    client.disconnect();
  }
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(child)) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exited;
}
