import { pino } from 'pino';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { databaseSchema } from '../../../src/compose/database-schema.ts';
import { KafkaRecordLog } from '../../../src/records/kafka/kafka-record-log.ts';
import { runRelayOnce } from '../../../src/records/relay.ts';
import { toFlatMessage } from '../../../src/records/to-flat-message.ts';
import { type Publishing, toKafkaConfig } from '../../records/records-fixture.ts';
import { onPostgres } from '../../support/databases.ts';
import { describeWithKafka, sharedKafka } from '../../support/kafka-server.ts';
import { describeWithPostgres } from '../../support/postgres-server.ts';
import { until } from '../../support/until.ts';
import { createChainWorld } from './chain-world.ts';
import { StatsService, TicketService } from './urr-consumers.ts';

const [PURCHASES, REFUNDS, TRANSFERS] = [100, 20, 5];
const [PRICE, RESALE_PRICE] = [50_000, 40_000];
const THEIR_TOPICS = ['payment-events', 'reservation-events', 'transfer-events', 'membership-events'];

type World = Awaited<ReturnType<typeof createChainWorld>>;

/** 100 purchases, 5 of them transferred; then 20 are cancelled, one of a new owner among them. */
async function sell(world: World): Promise<string> {
  const eventId = await world.createEvent({
    sections: [{ id: 'A', name: 'Front', rows: 10, seatsPerRow: 10, price: PRICE }],
  });
  const bought: string[] = [];
  for (let no = 0; no < PURCHASES; no += 1) {
    const seat = `A-${Math.floor(no / 10) + 1}-${(no % 10) + 1}`;
    bought.push(await world.reserve(eventId, `buyer-${no}`, seat));
  }
  for (let no = 0; no < TRANSFERS; no += 1) {
    const transferId = await world.list(bought[no]!, `buyer-${no}`, RESALE_PRICE);
    await world.buy(transferId, `new-owner-${no}`, 'transfer');
  }
  await world.settle();
  for (const reservationId of bought.slice(TRANSFERS - 1, TRANSFERS - 1 + REFUNDS)) {
    await world.cashier.cancel(reservationId);
  }
  return eventId;
}

/** Their services: in groups with the same names as Fairline's, on the same topics. */
function startTheirServices(kafka: string, prefix: string) {
  const log = new KafkaRecordLog(toKafkaConfig(kafka, prefix), pino({ level: 'silent' }));
  const [tickets, stats] = [new TicketService(), new StatsService()];
  let delivered = 0;
  const read = (group: string, topics: readonly string[], handle: (topic: string, event: object) => void) => {
    const consumption = log.consume({
      ...{ group, topics },
      handle: async (messages) => {
        for (const { topic, value } of messages) handle(topic, JSON.parse(value));
        delivered += messages.length;
      },
    });
    return { group, topics, stop: () => consumption.stop() };
  };
  const readAll = (suffix = '') => [
    read(`ticket-service-group${suffix}`, ['payment-events'], (_topic, event) => tickets.handle({ ...event })),
    read(`stats-service-group${suffix}`, THEIR_TOPICS, (topic, event) => stats.handle(topic, { ...event })),
  ];
  const groups = readAll();
  onTestFinished(async () => {
    await Promise.all(groups.map(({ stop }) => stop()));
    await log.close();
  });
  const untilRead = () =>
    until('their services to have read everything', async () => {
      for (const { group, topics } of groups) {
        const lag = await log.measureLag(group, topics);
        if ([...lag.values()].some((behind) => behind > 0)) return false;
      }
      return true;
    });
  /** Delivers everything to them once more, from the start. */
  const redeliver = async () => {
    groups.push(...readAll('-once-more'));
    await untilRead();
  };
  return { tickets, stats, untilRead, redeliver, countDelivered: () => delivered };
}

/** Publishes what is in the outbox, and dies before it removes it: the next relay publishes it again. */
async function relayAndDie({ outbox, log }: World): Promise<void> {
  const dying = {
    takePartition: async () => {
      const partition = await outbox.takePartition();
      return partition && { ...partition, remove: () => Promise.reject(new Error('killed')) };
    },
  };
  await expect(runRelayOnce({ outbox: dying, log, format: toFlatMessage })).rejects.toThrow('killed');
}

describeWithKafka('flat records over Kafka', () => {
  let address: string;
  beforeAll(async () => {
    address = await sharedKafka();
  });
  const suite = onPostgres(databaseSchema);

  it('are each processed once by consumers of URR, beside those of Fairline', async () => {
    const world = await createChainWorld(suite, address, { format: 'flat', groupPrefix: `ours-${process.pid}-` });
    const theirs = startTheirServices(address, world.prefix);
    const eventId = await sell(world);
    await relayAndDie(world);
    await world.settle();
    await theirs.untilRead();

    const checkAll = () => {
      const { tickets, stats } = theirs;
      const once = (count: number, sum: number) => ({ entities: count, effects: count, sum });
      expect({
        reservations: tickets.effects.of('reservation'),
        transfers: tickets.effects.of('transfer'),
        refunds: tickets.effects.of('refund'),
        skipped: tickets.skipped,
      }).toEqual({
        reservations: once(PURCHASES, PURCHASES * PRICE),
        transfers: once(TRANSFERS, TRANSFERS * RESALE_PRICE),
        refunds: once(REFUNDS, (REFUNDS - 1) * PRICE + RESALE_PRICE),
        skipped: [],
      });
      expect({
        created: stats.effects.of('RESERVATION_CREATED'),
        confirmed: stats.effects.of('RESERVATION_CONFIRMED'),
        cancelled: stats.effects.of('RESERVATION_CANCELLED').effects,
        transferred: stats.effects.of('transferred'),
        completed: stats.effects.of('TRANSFER_COMPLETED'),
        refunded: stats.effects.of('refunded'),
        skipped: stats.skipped,
      }).toEqual({
        created: once(PURCHASES, PURCHASES * PRICE),
        confirmed: once(PURCHASES, PURCHASES * PRICE),
        cancelled: REFUNDS,
        transferred: once(TRANSFERS, TRANSFERS * RESALE_PRICE),
        completed: once(TRANSFERS, TRANSFERS * RESALE_PRICE),
        refunded: once(REFUNDS, (REFUNDS - 1) * PRICE + RESALE_PRICE),
        skipped: [],
      });
    };
    checkAll();
    const before = theirs.countDelivered();
    await theirs.redeliver();
    expect(theirs.countDelivered()).toBeGreaterThan(before + 2 * PURCHASES);
    checkAll();
    expect((await world.stats.total({ eventId })).counts).toMatchObject({
      ...{ created: PURCHASES, confirmed: PURCHASES, cancelled: REFUNDS, transfers: TRANSFERS },
    });
  });
});

describeWithPostgres('flat records', () => {
  const suite = onPostgres(databaseSchema);

  it('have the same effect as nested ones in the same topics, also when they are read again', async () => {
    const publishing: Publishing = { format: 'nested' };
    const world = await createChainWorld(suite, undefined, publishing);
    const eventId = await world.createEvent();
    const first = await world.reserve(eventId, 'ann', 'A-1-1');
    await world.settle();
    publishing.format = 'flat';
    const second = await world.reserve(eventId, 'bob', 'A-1-2');
    await world.cashier.cancel(first);
    await world.buy(await world.list(second, 'bob', PRICE), 'cid', 'transfer');
    await world.settle();
    expect((await world.holds.find(second))!.visitor).toBe('cid');
    const isNested = new Set((await world.readAll()).map(({ value }) => 'payload' in JSON.parse(value)));
    expect(isNested).toEqual(new Set([true, false]));
    const total = await world.stats.total({ eventId });
    expect(total).toMatchObject({
      counts: { created: 2, confirmed: 2, cancelled: 1, transfers: 1 },
      money: [{ currency: 'KRW', revenue: 2 * PRICE, refunds: PRICE, transferred: PRICE, memberships: 0 }],
    });
    // The same records again, in the other format.
    await world.log.publish((await world.readAll()).map(toFlatMessage));
    await world.settle();
    expect(await world.stats.total({ eventId })).toEqual(total);
  });

  it('let a consumer cancel no reservation for a refund of a former owner, or of a payment that came too late', async () => {
    const world = await createChainWorld(suite, undefined, { format: 'flat' });
    const eventId = await world.createEvent();
    const reservationId = await world.reserve(eventId, 'ann', 'A-1-1');
    await world.buy(await world.list(reservationId, 'ann', PRICE), 'bob', 'transfer');
    await world.settle();
    const [annsPayment] = (await world.payments.listOf('ann')).filter((payment) => payment.eventId === eventId);
    world.provider.charges.set(annsPayment!.orderId, 'refunded');
    await world.cashier.settle(annsPayment!.orderId, 'refunded');

    const { reservationId: late } = await world.hold(eventId, 'cid', 'A-1-2');
    const payment = await world.prepare(late, 'cid');
    world.provider.behave = async () => 'pending';
    await world.pay(payment);
    world.clock.advance(3_600_000);
    await world.hold(eventId, 'dan', 'A-1-2');
    world.provider.charges.set(payment.orderId, 'captured');
    await world.cashier.settle(payment.orderId, 'captured');
    await world.settle();

    const tickets = new TicketService();
    for (const { value } of await world.readAll(['payment-events'])) tickets.handle(JSON.parse(value));
    expect(tickets.effects.of('refund').effects).toBe(0);
    expect(tickets.skipped.map(({ userId, reason }) => `${userId}: ${reason}`).sort()).toEqual([
      'ann: refunded',
      'cid: paid-too-late',
    ]);
  });
});
