/** The stores of a run, each behind proxies: one Redis or a cluster, PostgreSQL, Kafka. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { type KafkaServer, startKafka } from '../../support/kafka-server.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { type RedisServer, startRedis, startRedisCluster } from '../../support/redis-server.ts';
import { type Replacement, type StoreProxy, startProxy } from './proxy.ts';

export interface StoreOptions {
  cluster: boolean;
  shop: boolean;
  kafka: boolean;
}

export interface ProxiedServer {
  name: string;
  server: RedisServer;
  proxy: StoreProxy;
}

export interface Stores {
  redis: readonly ProxiedServer[];
  isCluster: boolean;
  postgres: { server: PostgresServer; proxy: StoreProxy; url: string; directUrl: string } | undefined;
  kafka: { server: KafkaServer; proxy: StoreProxy; address: string; directAddress: string } | undefined;
  /** Folder of the small disk that Redis writes to; undefined if none could be made. */
  smallDisk: string | undefined;
  /** Settings of the program. */
  env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const DISK_MB = 48;

export async function startStores(options: StoreOptions): Promise<Stores> {
  const disk = options.cluster ? undefined : mountSmallDisk();
  // First and alone: while it starts, temporary folders are made on the small disk.
  const redis = await (options.cluster ? startCluster() : startSingle(disk));
  const [postgres, kafka] = await Promise.all([
    options.shop ? startDatabase() : undefined,
    options.kafka ? startBroker() : undefined,
  ]);
  const addresses = redis.map(({ proxy }) => `127.0.0.1:${proxy.port}`);
  return {
    redis,
    isCluster: options.cluster,
    postgres,
    kafka,
    smallDisk: disk?.folder,
    env: {
      ...(options.cluster ? { REDIS_CLUSTER: addresses.join(',') } : { REDIS_URL: `redis://${addresses[0]}` }),
      ...(postgres === undefined ? { SHOP: 'off' } : { SHOP: 'on', DATABASE_URL: postgres.url }),
      ...(kafka === undefined ? {} : { KAFKA_BROKERS: kafka.address }),
    },
    async stop() {
      await Promise.all(redis.flatMap(({ server, proxy }) => [server.stop(), proxy.close()]));
      await Promise.all([postgres?.proxy.close(), kafka?.proxy.close()]);
      await Promise.all([postgres?.server.stop(), kafka?.server.stop()]);
      disk?.unmount();
    },
  };
}

async function startSingle(disk: SmallDisk | undefined): Promise<ProxiedServer[]> {
  // The server's folder is made below TMPDIR.
  const before = process.env.TMPDIR;
  if (disk !== undefined) process.env.TMPDIR = disk.folder;
  try {
    const server = await startRedis(
      ...['--appendonly', 'yes', '--appendfsync', 'everysec'],
      ...['--auto-aof-rewrite-min-size', '4mb', '--aof-use-rdb-preamble', 'yes'],
    );
    return [{ name: 'redis', server, proxy: await startProxy(server.port, await freePort()) }];
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** Clients learn the ports of nodes from replies; both forms are replaced there. All ports have five digits. */
async function startCluster(): Promise<ProxiedServer[]> {
  // A killed master that is back before its replica took over would be an empty master, and its replica would follow it.
  const { servers } = await startRedisCluster('--appendonly', 'yes', '--appendfsync', 'everysec');
  const replacements: Replacement[] = [];
  const proxied: ProxiedServer[] = [];
  for (const [no, server] of servers.entries()) {
    const port = await freePort();
    for (const form of [(at: number) => `:${at}\r\n`, (at: number) => `127.0.0.1:${at}`])
      replacements.push({ from: Buffer.from(form(server.port)), to: Buffer.from(form(port)) });
    proxied.push({ name: `redis-${no + 1}`, server, proxy: await startProxy(server.port, port, () => replacements) });
  }
  return proxied;
}

async function startDatabase(): Promise<NonNullable<Stores['postgres']>> {
  const server = await startPostgres();
  const direct = new URL(await server.createDatabase());
  const proxy = await startProxy(Number(direct.port), await freePort());
  const through = new URL(direct);
  through.port = String(proxy.port);
  return { server, proxy, url: through.href, directUrl: direct.href };
}

async function startBroker(): Promise<NonNullable<Stores['kafka']>> {
  const server = await startKafka();
  const [host = '', port = ''] = server.address.split(':');
  const own = await freePort();
  const replacement = { from: kafkaAddress(host, Number(port)), to: kafkaAddress(host, own) };
  const proxy = await startProxy(Number(port), own, () => [replacement]);
  return { server, proxy, address: `127.0.0.1:${own}`, directAddress: server.address };
}

/** A compact string and a port, as brokers write their own address. */
function kafkaAddress(host: string, port: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(port);
  return Buffer.concat([Buffer.from([host.length + 1]), Buffer.from(host), bytes]);
}

interface SmallDisk {
  folder: string;
  unmount(): void;
}

/** A disk that can be filled without harm to the machine: a small tmpfs. Mounting needs root; elsewhere there is none. */
function mountSmallDisk(): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'fairline-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  mkdirSync(join(folder, 'filling'));
  const unmount = () => {
    process.off('exit', unmount);
    try {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Left mounted; it is small and in memory.
    }
  };
  // An interrupted run does not reach its cleanup.
  process.once('exit', unmount);
  return { folder, unmount };
}
