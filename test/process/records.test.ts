/**
 * Line, shop, relay, chain and stats as separate processes, on Redis, PostgreSQL and Kafka. Relay, consumers and broker are killed
 * during the run; the totals must still match the requests.
 *
 * RECORDS_SCALE=10 makes it 1,000 purchases, 100 refunds, 50 transfers and 50 memberships.
 */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KafkaRecordLog } from '../../src/records/kafka/kafka-record-log.ts';
import type { Message } from '../../src/records/record-log.ts';
import { topics } from '../../src/records/topics.ts';
import { describeWithKafka, type KafkaServer, startKafka } from '../support/kafka-server.ts';
import { ask, type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SCALE = Number(process.env.RECORDS_SCALE ?? 1);
const [PURCHASES, REFUNDS, TRANSFERS, MEMBERSHIPS] = [100, 10, 5, 5].map((count) => count * SCALE) as [
  ...[number, number, number, number],
];
const AT_ONCE = 8;
const PRICE = 50_000;

describeWithKafka('records between processes', () => {
  let kafka: KafkaServer;
  let postgres: PostgresServer;
  let redis: RedisServer;
  beforeAll(async () => {
    [kafka, postgres, redis] = await Promise.all([startKafka(), startPostgres(), startRedis()]);
  });
  afterAll(() => Promise.all([kafka?.stop(), postgres?.stop(), redis?.stop()]));

  it('take effect once each, whichever process is killed at any time', async () => {
    const database = await postgres.createDatabase();
    const run = (roles: string) =>
      startServer({
        FAIRLINE_ROLES: roles,
        DATA_DIR: tempFolder(),
        SHOP: 'on',
        DATABASE_URL: database,
        DATABASE_CONNECTIONS: '8',
        REDIS_URL: redis.url,
        KAFKA_BROKERS: kafka.address,
        QUEUE_THRESHOLD: '100000',
        KEEPER_INTERVAL_MS: '100',
        RECORDS_POLL_MS: '20',
        LOG_LEVEL: 'fatal',
        ...{ LIMIT_HOLD_PER_VISITOR: '0', LIMIT_PAYMENT_PER_VISITOR: '0', LIMIT_JOIN_PER_VISITOR: '0' },
      });
    const [line, shop] = await Promise.all([run('line,admitter,sweeper'), run('shop,keeper')]);
    const readers = {
      relay: await run('relay'),
      chain: await run('chain'),
      stats: await run('stats'),
    };
    await sell(shop);

    const crash = async (role: keyof typeof readers) => {
      await readers[role].kill('SIGKILL');
      readers[role] = await run(role);
    };
    /** Faults after a number of purchases, while others are under way. */
    const faults = new Map<number, () => Promise<void>>([
      [Math.floor(PURCHASES * 0.2), () => crash('relay')],
      [Math.floor(PURCHASES * 0.4), () => crash('chain')],
      [Math.floor(PURCHASES * 0.5), () => kafka.kill().then(() => kafka.start())],
      [Math.floor(PURCHASES * 0.8), () => crash('stats')],
    ]);
    const underWay: Promise<void>[] = [];
    const reservations: string[] = [];
    await inParallel(PURCHASES, async (no) => {
      reservations[no] = await purchase(line, shop, `buyer-${no}`);
      const fault = faults.get(no);
      if (fault !== undefined) underWay.push(fault());
    });
    await inParallel(REFUNDS, (no) => post(shop, `buyer-${no}`, `/api/reservations/${reservations[no]}/cancel`));
    await inParallel(MEMBERSHIPS, async (no) => {
      const { membershipId } = await post(shop, `member-${no}`, '/api/memberships/subscribe');
      await pay(shop, `member-${no}`, { paymentType: 'membership', referenceId: membershipId });
    });
    await inParallel(TRANSFERS, async (no) => {
      const seller = `buyer-${REFUNDS + no}`;
      const reservationId = reservations[REFUNDS + no];
      const { transferId } = await post(shop, seller, '/api/transfers', { reservationId, price: PRICE - 1_000 });
      await pay(shop, `heir-${no}`, { paymentType: 'transfer', referenceId: transferId });
    });
    await Promise.all(underWay);

    const expected = {
      counts: {
        ...{ created: PURCHASES, confirmed: PURCHASES, cancelled: REFUNDS },
        ...{ transfers: TRANSFERS, transfersCancelled: 0, memberships: MEMBERSHIPS },
      },
      money: [
        {
          currency: 'KRW',
          revenue: PURCHASES * PRICE,
          refunds: REFUNDS * PRICE,
          transferred: TRANSFERS * (PRICE - 1_000),
          memberships: MEMBERSHIPS * 30_000,
        },
      ],
    };
    const overview = async () => (await readers.stats.ask('GET', '/api/stats/overview', { operator: true })).body;
    await untilCounted(readers.stats);
    expect(await overview()).toMatchObject(expected);
    expect(await stateOf(database)).toEqual({
      ...{ confirmed: PURCHASES - REFUNDS, cancelled: REFUNDS, sold: PURCHASES - REFUNDS },
      ...{ completed: TRANSFERS, credited: TRANSFERS, heirs: TRANSFERS, members: MEMBERSHIPS },
    });

    await repeatAll(kafka.address);
    await untilCounted(readers.stats);
    expect(await overview()).toMatchObject(expected);
    const handled = await readers.stats.ask('GET', '/metrics');
    expect(handled.body).toMatch(
      /fairline_records_handled_total\{group="stats-service-group",outcome="repeated"\} [1-9]/,
    );
    expect(handled.body).not.toMatch(/outcome="buried"/);
    const relayed = await readers.relay.ask('GET', '/metrics');
    expect(relayed.body).toMatch(/^fairline_outbox_age_seconds 0$/m);
  }, 300_000);
});

async function sell(shop: ServerProcess): Promise<void> {
  const operate = async (method: string, path: string, body?: unknown) => {
    const options = { operator: true, ...(body === undefined ? {} : { body }) };
    const answer = await shop.ask(method, `/api/admin${path}`, options);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  };
  const sections = [{ id: 'A', name: 'Hall', rows: PURCHASES / 10, seatsPerRow: 20, price: PRICE }];
  await operate('PUT', '/layouts/hall', { name: 'Hall', sections, standing: [] });
  const startsAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await operate('PUT', '/events/concert', { title: 'Concert', startsAt });
  await operate('POST', '/events/concert/seats', { layoutId: 'hall' });
  await operate('POST', '/events/concert/open');
}

async function post(server: ServerProcess, user: string, path: string, body: unknown = {}, headers = {}) {
  const answer = await server.ask('POST', path, { user, body, headers });
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function pay(shop: ServerProcess, user: string, purchase: Record<string, unknown>): Promise<void> {
  const { orderId, paymentKey, amount } = await post(shop, user, '/api/payments/prepare', purchase);
  await post(shop, user, '/api/payments/confirm', { orderId, paymentKey, amount });
}

async function purchase(line: ServerProcess, shop: ServerProcess, user: string): Promise<string> {
  const { entryToken } = (await line.ask('POST', '/api/queue/check/concert', { user })).body;
  const headers = { 'x-queue-entry-token': entryToken };
  const wanted = { eventId: 'concert', best: { count: 1 } };
  const { reservationId } = await post(shop, user, '/api/seats/reserve', wanted, headers);
  await pay(shop, user, { reservationId });
  return reservationId;
}

async function inParallel(count: number, work: (no: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let no = next++; no < count; no = next++) await work(no);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Nothing in the outbox and no lag, twice: the last records can cause others. */
async function untilCounted(stats: ServerProcess): Promise<void> {
  let quiet = 0;
  for (let looks = 0; quiet < 5; looks += 1) {
    if (looks > 1_000) throw new Error('the records do not come to rest');
    const { body } = await stats.ask('GET', '/api/stats/realtime', { operator: true });
    quiet = body.behind === 0 ? quiet + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function stateOf(database: string): Promise<Record<string, number>> {
  const [row] = await ask(
    database,
    `select (select count(*)::int from reservations where state = 'confirmed') as confirmed,
      (select count(*)::int from reservations where state = 'cancelled') as cancelled,
      (select count(*)::int from seats where state = 'sold') as sold,
      (select count(*)::int from transfers where state = 'completed') as completed,
      (select count(*)::int from seller_credits) as credited,
      (select count(*)::int from reservations where visitor like 'heir-%' and ticket_no = 1) as heirs,
      (select count(*)::int from memberships where state = 'active') as members`,
  );
  return row as Record<string, number>;
}

/** Publishes every message of every topic again. */
async function repeatAll(address: string): Promise<void> {
  const config = { brokers: [address], tls: undefined, sasl: undefined, replicationFactor: 1, prefix: '' };
  const log = new KafkaRecordLog(config, pino({ level: 'silent' }));
  const messages: Message[] = [];
  await log.drain({
    group: undefined,
    topics,
    handle: async (more) => {
      messages.push(...more);
    },
  });
  for (let at = 0; at < messages.length; at += 500) await log.publish(messages.slice(at, at + 500));
  await log.close();
}
