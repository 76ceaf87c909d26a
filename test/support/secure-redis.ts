/** Redis servers as companies run them: with TLS, passwords and ACL users; a cluster of them; a master with sentinels. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Certificates } from './certificates.ts';
import { freePort } from './free-port.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { until } from './until.ts';

export const PASSWORD = 'a pass/word of the default user';
export const USER = 'fairline';
export const USER_PASSWORD = 'the users:pass@word';
/** As docs/guides/redis.md gives it. */
export const USER_RULES = ['on', `>${USER_PASSWORD}`, '~*', '&*', '+@all', '-@admin', '-@dangerous', '+info'];

export interface SecureRedis {
  server: RedisServer;
  tlsPort: number;
  /** Starts again after a crash, with the same users. */
  startAgain(): Promise<void>;
  /** Runs a command as an administrator. */
  command(...args: string[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** Listens without TLS and with it; requires a password at both. */
export async function startSecureRedis(certificates: Certificates, ...settings: string[]): Promise<SecureRedis> {
  const tlsPort = await freePort();
  const server = await startRedis(...tlsSettings(certificates, tlsPort), ...settings);
  let admin = await protect(server);
  return {
    server,
    tlsPort,
    async startAgain() {
      admin.disconnect();
      await server.start();
      admin = await protect(server);
    },
    command: (name, ...args) => admin.call(name, ...args),
    async stop() {
      admin.disconnect();
      await server.stop();
    },
  };
}

function tlsSettings({ ca, server }: Certificates, tlsPort: number): string[] {
  const files = ['--tls-cert-file', server.cert, '--tls-key-file', server.key, '--tls-ca-cert-file', ca];
  return ['--tls-port', `${tlsPort}`, ...files, '--tls-auth-clients', 'no'];
}

/** After the start, which pings without a password. */
async function protect({ url }: RedisServer): Promise<Redis> {
  const admin = new Redis(url, { disableClientInfo: true });
  admin.on('error', () => {});
  await admin.call('ACL', 'SETUSER', USER, ...USER_RULES);
  await admin.config('SET', 'masterauth', PASSWORD);
  await admin.config('SET', 'requirepass', PASSWORD);
  return admin;
}

export interface SecureCluster {
  /** Of the ports with TLS: `localhost:port,…`. */
  addresses: string;
  stop(): Promise<void>;
}

/** Three masters that speak TLS with each other, too. */
export async function startSecureCluster(certificates: Certificates): Promise<SecureCluster> {
  const own = ['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--tls-replication', 'yes'];
  const start = async () =>
    startSecureRedis(certificates, ...own, '--cluster-node-timeout', '1500', '--cluster-port', `${await freePort()}`);
  const servers = await Promise.all([start(), start(), start()]);
  const addresses = servers.map(({ tlsPort }) => `127.0.0.1:${tlsPort}`);
  const signIn = ['--tls', '--cacert', certificates.ca, '-a', PASSWORD, '--no-auth-warning'];
  const args = [...signIn, '--cluster', 'create', ...addresses, '--cluster-yes'];
  execFileSync('redis-cli', args, { timeout: 30_000, stdio: 'pipe' });
  for (const { command } of servers) {
    await until('the cluster', async () => String(await command('CLUSTER', 'INFO')).includes('cluster_state:ok'));
  }
  return {
    addresses: servers.map(({ tlsPort }) => `localhost:${tlsPort}`).join(','),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

export interface SentinelGroup {
  /** Of the sentinels: `localhost:port,…`. */
  addresses: string;
  name: string;
  password: string;
  servers: [SecureRedis, SecureRedis];
  /** The one of the servers that is master now. */
  findMaster(): Promise<SecureRedis | undefined>;
  stop(): Promise<void>;
}

/** A master, a replica and one sentinel, all with TLS and passwords. */
export async function startSentinels(certificates: Certificates): Promise<SentinelGroup> {
  const name = 'lines';
  const password = 'of-the-sentinel';
  const fast = ['--repl-diskless-sync-delay', '0', '--tls-replication', 'yes'];
  const [master, replica] = [
    await startSecureRedis(certificates, ...fast),
    await startSecureRedis(certificates, ...fast),
  ];
  await replica.command('REPLICAOF', '127.0.0.1', `${master.tlsPort}`);
  await until('the replica', async () =>
    String(await replica.command('INFO', 'replication')).includes('link_status:up'),
  );
  const port = await freePort();
  const { ca, server } = certificates;
  const sentinel = await startSentinel([
    'port 0',
    `tls-port ${port}`,
    `tls-cert-file ${server.cert}`,
    `tls-key-file ${server.key}`,
    `tls-ca-cert-file ${ca}`,
    'tls-auth-clients no',
    'tls-replication yes',
    `requirepass ${password}`,
    `sentinel monitor ${name} 127.0.0.1 ${master.tlsPort} 1`,
    `sentinel auth-pass ${name} "${PASSWORD}"`,
    `sentinel down-after-milliseconds ${name} 1000`,
    `sentinel failover-timeout ${name} 5000`,
  ]);
  const servers: [SecureRedis, SecureRedis] = [master, replica];
  const asked = new Redis({
    host: '127.0.0.1',
    port,
    password,
    tls: { rejectUnauthorized: false },
    disableClientInfo: true,
  });
  asked.on('error', () => {});
  const findMaster = async () => {
    const [, masterPort] = (await asked.call('SENTINEL', 'get-master-addr-by-name', name)) as [string, string];
    return servers.find(({ tlsPort }) => tlsPort === Number(masterPort));
  };
  await until('the sentinel to know the replica', async () => {
    const replicas = (await asked.call('SENTINEL', 'replicas', name)) as string[][];
    return replicas[0]?.includes('slave') === true && !replicas[0].some((text) => text.includes('s_down'));
  });
  return {
    addresses: `localhost:${port}`,
    name,
    password,
    servers,
    findMaster,
    async stop() {
      asked.disconnect();
      sentinel.stop();
      await Promise.all(servers.map((one) => one.stop()));
    },
  };
}

async function startSentinel(lines: string[]): Promise<{ stop(): void }> {
  const dir = mkdtempSync(join(tmpdir(), 'fairline-sentinel-'));
  const file = join(dir, 'sentinel.conf');
  writeFileSync(file, `${lines.join('\n')}\ndir ${dir}\n`);
  const child: ChildProcess = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    stop() {
      child.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
