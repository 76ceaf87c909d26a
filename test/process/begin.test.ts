/**
 * Every role, started while Redis, PostgreSQL and Kafka are away. The stores come one after another; then
 * each goes away and returns. No process is restarted.
 */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { roleNames } from '../../src/config/role-names.ts';
import { describeWithKafka, type KafkaServer, startKafka } from '../support/kafka-server.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

type Store = 'Redis' | 'PostgreSQL' | 'Kafka';

/** The roles of each process, and the stores without which it is not ready. */
const processes = {
  line: { roles: 'line', needs: ['Redis'] },
  admitter: { roles: 'admitter,sweeper,advancer,dispatcher,reaper', needs: ['Redis'] },
  shop: { roles: 'shop', needs: ['Redis', 'PostgreSQL'] },
  keeper: { roles: 'keeper', needs: ['Redis', 'PostgreSQL'] },
  relay: { roles: 'relay,chain', needs: ['PostgreSQL', 'Kafka'] },
  stats: { roles: 'stats', needs: ['PostgreSQL', 'Kafka'] },
} satisfies Record<string, { roles: string; needs: readonly Store[] }>;
type ProcessName = keyof typeof processes;
const names = Object.keys(processes) as ProcessName[];
const needsOf = (name: ProcessName): readonly Store[] => processes[name].needs;
const stores: readonly Store[] = ['Redis', 'PostgreSQL', 'Kafka'];

type Processes = Record<ProcessName, ServerProcess>;

const DEAD_INSTANCE = 'an-instance-that-died';
const PRICE = 50_000;

describeWithKafka('a process that starts before its stores', () => {
  let kafka: KafkaServer;
  let postgres: PostgresServer;
  let redis: RedisServer;
  let database: string;
  beforeAll(async () => {
    [kafka, postgres, redis] = await Promise.all([
      startKafka(),
      startPostgres(),
      startRedis('--appendonly', 'yes', '--appendfsync', 'no'),
    ]);
    database = await postgres.createDatabase();
  });
  afterAll(() => Promise.all([kafka?.stop(), postgres?.stop(), redis?.stop()]));

  const start = (name: ProcessName | 'everything') =>
    startServer({
      FAIRLINE_ROLES: name === 'everything' ? roleNames.join() : processes[name].roles,
      DATA_DIR: tempFolder(),
      SHOP: 'on',
      DATABASE_URL: database,
      DATABASE_CONNECTIONS: '4',
      REDIS_URL: redis.url,
      KAFKA_BROKERS: kafka.address,
      QUEUE_ADMISSION_INTERVAL_MS: '100',
      QUEUE_STALE_CLEANUP_INTERVAL_MS: '100',
      KEEPER_INTERVAL_MS: '100',
      RECORDS_POLL_MS: '50',
      LOG_LEVEL: 'fatal',
      LIMIT_JOIN_PER_VISITOR: '0',
    });

  it('says what it waits for, begins with each store that comes, and recovers from each that returns', async () => {
    await Promise.all([kafka.kill(), postgres.halt(), redis.kill()]);
    const all = {} as Processes;
    // Two at a time: all at once, a machine with few cores takes long for each.
    for (const pair of [names.slice(0, 2), names.slice(2, 4), names.slice(4)]) {
      await Promise.all(pair.map(async (name) => Object.assign(all, { [name]: await start(name) })));
    }
    await untilReadyIs(all, stores);
    for (const name of names) {
      expect((await all[name].ask('GET', '/health')).status, `${name} is alive`).toBe(200);
      const lines = all[name].output().match(/^fairline: waiting for stores: .*$/gm) ?? [];
      expect(lines, `${name} says at the start what it waits for`).toHaveLength(1);
      for (const store of needsOf(name)) expect(lines[0]).toContain(store);
    }
    expect(await join(all.line, 'early')).toMatchObject({
      status: 503,
      body: { error: { code: 'STORE_UNAVAILABLE' } },
    });

    await redis.start();
    await untilReadyIs(all, ['PostgreSQL', 'Kafka']);
    expect((await all.line.ask('GET', '/ready')).body.shop, 'the line goes on without the shop').toMatch(/PostgreSQL/);
    await rolesOfTheLineWork(all, redis, 'first');

    await postgres.resume();
    await untilReadyIs(all, ['Kafka']);
    await sell(all.shop);
    await rolesOfTheShopWork(all, 'ann');

    await kafka.start();
    await untilReadyIs(all, []);
    await rolesOfRecordsWork(all, 1);

    await redis.kill();
    await untilReadyIs(all, ['Redis']);
    await redis.start();
    await untilReadyIs(all, []);
    await rolesOfTheLineWork(all, redis, 'second');

    await postgres.halt();
    await untilReadyIs(all, ['PostgreSQL']);
    await admits(all.line, 'without-postgres');
    await postgres.resume();
    await untilReadyIs(all, []);
    await rolesOfTheShopWork(all, 'bob');
    await rolesOfRecordsWork(all, 2);

    await kafka.kill();
    await untilReadyIs(all, ['Kafka']);
    await rolesOfTheShopWork(all, 'cho');
    await kafka.start();
    await untilReadyIs(all, []);
    await rolesOfRecordsWork(all, 3);

    for (const name of names) expect([name, await all[name].kill('SIGTERM')]).toEqual([name, 0]);
  }, 300_000);

  it('stops at once while it waits', async () => {
    await Promise.all([kafka.kill(), postgres.halt(), redis.kill()]);
    const waiting = await start('everything');
    expect(await waiting.kill('SIGTERM')).toBe(0);
    expect(waiting.output()).not.toMatch(/unhandled|^ {4}at /im);
  });
});

/** Waits until /ready of every process names exactly those of its stores that are away. */
async function untilReadyIs(all: Processes, away: readonly Store[]): Promise<void> {
  await Promise.all(
    names.map((name) => {
      const missing = needsOf(name).filter((store) => away.includes(store));
      return until(`${name} to wait for ${missing.join(' and ') || 'nothing'}`, async () => {
        const { status, body } = await all[name].ask('GET', '/ready');
        if (missing.length === 0) return status === 200;
        const reason: string = body.error?.message ?? '';
        const named = stores.filter((store) => reason.includes(store));
        return status === 503 && named.join() === missing.join();
      });
    }),
  );
}

function join(line: ServerProcess, user: string, eventId = 'concert') {
  return line.ask('POST', `/api/queue/check/${eventId}`, { user });
}

async function putRoom(line: ServerProcess, eventId: string, body: object): Promise<void> {
  const { status } = await line.ask('PUT', `/api/admin/rooms/${eventId}`, { operator: true, body });
  expect([200, 201]).toContain(status);
}

const findRoom = async (line: ServerProcess, eventId: string) =>
  (await line.ask('GET', `/api/admin/rooms/${eventId}`, { operator: true })).body;

/** The work of line, admitter, dispatcher, sweeper, advancer and reaper; none of them needs PostgreSQL. */
async function rolesOfTheLineWork({ line }: Processes, redis: RedisServer, name: string): Promise<void> {
  const client = new Redis(redis.url);
  client.on('error', () => {});
  onTestFinished(() => client.disconnect());
  await client.sadd('queue:instances', DEAD_INSTANCE);

  await putRoom(line, `stream-${name}`, { maxActive: 0 });
  const stream = await line.watch(`stream-${name}`, 'watcher');
  await stream.waitFor('position');
  await putRoom(line, `stream-${name}`, { maxActive: 1 });
  await stream.waitFor('admitted');
  await until('the dispatcher to take the admission', () => hasDispatched(client, `stream-${name}`));

  await putRoom(line, `quiet-${name}`, { state: 'paused', seenTtlMs: 1_000 });
  await join(line, 'quiet', `quiet-${name}`);
  await until(
    'the sweeper to remove a silent visitor',
    async () => (await findRoom(line, `quiet-${name}`)).waiting === 0,
  );

  await putRoom(line, `numbers-${name}`, { maxActive: 0 });
  const tier1 = (action: string, method = 'POST') =>
    line.ask(method, `/api/admin/vwr/${action}/numbers-${name}`, { operator: true });
  await tier1('activate');
  await until('a number', async () => (await line.ask('POST', `/vwr/assign/numbers-${name}`)).status === 200);
  await until('the advancer to serve it', async () => (await tier1('status', 'GET')).body.servingCounter >= 1);

  await until('the reaper to work', async () => !(await client.smembers('queue:instances')).includes(DEAD_INSTANCE));
  await admits(line, `visitor-${name}`);
}

async function admits(line: ServerProcess, user: string): Promise<void> {
  await putRoom(line, 'concert', { maxActive: 0 });
  expect((await join(line, user)).body.status).toBe('queued');
  await putRoom(line, 'concert', { maxActive: 1_000 });
  const status = async () => (await line.ask('GET', '/api/queue/status/concert', { user })).body.status;
  await until('the admitter to admit', async () => (await status()) === 'active');
}

/** Whether a dispatcher has read the admissions of the room. The stream itself may have found its admission sooner. */
async function hasDispatched(client: Redis, eventId: string): Promise<boolean> {
  const groups = (await client.xinfo('GROUPS', `{${eventId}}:entry`)) as (string | number)[][];
  return groups.some((fields) => fields[fields.indexOf('last-delivered-id') + 1] !== '0-0');
}

async function sell(shop: ServerProcess): Promise<void> {
  const operate = async (method: string, path: string, body?: unknown) => {
    const options = { operator: true, ...(body === undefined ? {} : { body }) };
    const answer = await shop.ask(method, `/api/admin${path}`, options);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  };
  const sections = [{ id: 'A', name: 'Hall', rows: 2, seatsPerRow: 10, price: PRICE }];
  await operate('PUT', '/layouts/hall', { name: 'Hall', sections, standing: [] });
  const startsAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await operate('PUT', '/events/concert', { title: 'Concert', startsAt });
  await operate('POST', '/events/concert/seats', { layoutId: 'hall' });
  await operate('POST', '/events/concert/open');
}

/** A purchase in the shop, and the stock that the keeper reports to the line. */
async function rolesOfTheShopWork({ line, shop }: Processes, user: string): Promise<void> {
  await putRoom(line, 'concert', { maxActive: 1_000, followStock: true });
  const { entryToken } = await until('the buyer to be inside', async () => {
    const { body } = await join(line, user);
    return body.entryToken === undefined ? undefined : body;
  });
  const post = async (path: string, body: unknown) => {
    const answer = await shop.ask('POST', path, { user, body, headers: { 'x-queue-entry-token': entryToken } });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { reservationId } = await post('/api/seats/reserve', { eventId: 'concert', best: { count: 1 } });
  const { orderId, paymentKey, amount } = await post('/api/payments/prepare', { reservationId });
  await post('/api/payments/confirm', { orderId, paymentKey, amount });
  await until('the keeper to report the stock', async () => (await findRoom(line, 'concert')).stock !== undefined);
}

/** The relay publishes the purchases, the statistics count them, and the chain reads them. */
async function rolesOfRecordsWork({ stats, relay }: Processes, purchases: number): Promise<void> {
  await until(`${purchases} purchases to be counted`, async () => {
    const { body } = await stats.ask('GET', '/api/stats/overview', { operator: true });
    return body.counts?.confirmed === purchases;
  });
  await until('the chain to have read them', async () => {
    const { body } = await relay.ask('GET', '/metrics');
    const handled = [...body.matchAll(/^fairline_records_handled_total\{.*\} (\d+)$/gm)];
    return handled.reduce((sum, [, count]) => sum + Number(count), 0) >= purchases;
  });
}
