import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { databaseSchema } from '../../../src/compose/database-schema.ts';
import { createTickets } from '../../../src/shop/tickets.ts';
import { describeOnEachDatabase, onPostgres, type SuiteDatabase } from '../../support/databases.ts';
import { describeWithKafka, sharedKafka } from '../../support/kafka-server.ts';
import { createChainWorld, MEMBERSHIP_DAYS } from './chain-world.ts';

const DAY_MS = 86_400_000;

function chains(suite: SuiteDatabase, kafka: () => string | undefined): void {
  it('append a record after a purchase and after its refund', async () => {
    const world = await createChainWorld(suite, kafka());
    const eventId = await world.createEvent();
    const reservationId = await world.reserve(eventId, 'ann', 'A-1-1', 'A-1-2');
    await world.settle();
    expect(await world.listTypes()).toEqual(['PAYMENT_CONFIRMED', 'RESERVATION_CONFIRMED', 'RESERVATION_CREATED']);
    await world.cashier.cancel(reservationId);
    await world.settle();
    expect(await world.listTypes()).toEqual([
      ...['PAYMENT_CONFIRMED', 'PAYMENT_REFUNDED'],
      ...['RESERVATION_CANCELLED', 'RESERVATION_CONFIRMED', 'RESERVATION_CREATED'],
    ]);
    expect((await world.events.findEvent(eventId))!.seats.remaining).toBe(50);
  });

  it('append no record for a payment that came too late', async () => {
    const world = await createChainWorld(suite, kafka());
    const eventId = await world.createEvent();
    const { reservationId } = await world.hold(eventId, 'ann', 'A-1-1');
    const payment = await world.prepare(reservationId, 'ann');
    world.provider.behave = async () => 'pending';
    await world.pay(payment);
    world.clock.advance(3_600_000);
    await world.hold(eventId, 'bob', 'A-1-1');
    world.provider.charges.set(payment.orderId, 'captured');
    await world.cashier.settle(payment.orderId, 'captured');
    await world.settle();
    expect(await world.listTypes()).toEqual(['PAYMENT_REFUNDED', 'RESERVATION_CREATED', 'RESERVATION_CREATED']);
    expect((await world.stats.total({ eventId })).money).toEqual([]);
  });

  it('hand a paid transfer over with owner, ticket code and credit in one step', async () => {
    const world = await createChainWorld(suite, kafka());
    const tickets = createTickets(['a secret of thirty-two characters']);
    const eventId = await world.createEvent();
    const reservationId = await world.reserve(eventId, 'ann', 'A-1-1');
    const codeOf = async () => tickets.codeFor(reservationId, (await world.holds.find(reservationId))!.ticketNo);
    const annsCode = await codeOf();
    const transferId = await world.list(reservationId, 'ann', 40_000);
    expect(await world.payments.prepare(transferId, 'ann', 'transfer')).toEqual({ outcome: 'no-payable' });
    await world.buy(transferId, 'bob', 'transfer');
    expect((await world.holds.find(reservationId))!.visitor).toBe('ann');
    await world.settle();
    expect(await world.holds.find(reservationId)).toMatchObject({ visitor: 'bob', state: 'confirmed', ticketNo: 1 });
    expect(await codeOf()).not.toBe(annsCode);
    expect(await world.transfers.find(transferId)).toMatchObject({ state: 'completed', buyer: 'bob' });
    const { rows: credits } = await sql`
      select seller, amount from seller_credits where transfer_id = ${transferId}`.execute(suite.db);
    expect(credits).toEqual([{ seller: 'ann', amount: 40_000 }]);
    expect(await world.listTypes()).toContain('TRANSFER_COMPLETED');
    expect(await world.findContradictions(eventId)).toEqual([]);
  });

  it('refund the current owner of a reservation, and not former owners', async () => {
    const world = await createChainWorld(suite, kafka());
    const eventId = await world.createEvent();
    const reservationId = await world.reserve(eventId, 'ann', 'A-1-1');
    const transferId = await world.list(reservationId, 'ann', 50_000);
    await world.buy(transferId, 'bob', 'transfer');
    expect(await world.cashier.cancel(reservationId)).toEqual({ outcome: 'in-progress' });
    await world.settle();
    await world.cashier.cancel(reservationId);
    await world.settle();
    expect(world.provider.refunds).toHaveLength(1);
    const paid = await Promise.all(['ann', 'bob'].map((visitor) => world.payments.listOf(visitor)));
    const ofEvent = paid.flat().filter((payment) => payment.eventId === eventId);
    expect(ofEvent.map(({ visitor, state }) => `${visitor} ${state}`)).toEqual(['ann confirmed', 'bob refunded']);
    expect((await world.events.findEvent(eventId))!.seats.remaining).toBe(50);
  });

  it('give a transfer to one of two buyers, and refund the other', async () => {
    const world = await createChainWorld(suite, kafka());
    const eventId = await world.createEvent();
    const reservationId = await world.reserve(eventId, 'ann', 'A-1-1');
    const transferId = await world.list(reservationId, 'ann', 50_000);
    const prepared = await Promise.all(
      ['bob', 'cid'].map((visitor) => world.payments.prepare(transferId, visitor, 'transfer')),
    );
    const [bobs, cids] = prepared.map((outcome) => (outcome.outcome === 'prepared' ? outcome.payment : undefined));
    world.provider.behave = async () => 'pending';
    await world.pay(bobs!);
    expect(await world.pay(cids!)).toEqual({ outcome: 'hold-ended' });
    expect(await world.transfers.cancel(transferId, 'ann')).toEqual({ outcome: 'in-progress' });
    // Bob's payment takes so long that another buyer gets it.
    world.clock.advance(3_600_000);
    world.provider.behave = async () => 'captured';
    await world.pay(cids!);
    world.provider.charges.set(bobs!.orderId, 'captured');
    await world.cashier.settle(bobs!.orderId, 'captured');
    await world.settle();
    expect((await world.holds.find(reservationId))!.visitor).toBe('cid');
    expect(world.provider.refunds).toEqual([bobs!.orderId]);
    expect(await world.findLooseEnds(eventId)).toEqual([]);
  });

  it('refuse a buyer over the ticket limit, and refund one who reaches it while paying', async () => {
    const world = await createChainWorld(suite, kafka());
    const eventId = await world.createEvent({ maxPerPerson: 2 });
    const list = async (seller: string, seat: string) =>
      world.list(await world.reserve(eventId, seller, seat), seller, 50_000);
    const [one, two] = [await list('ann', 'A-1-1'), await list('cid', 'A-1-2')];
    await world.reserve(eventId, 'bob', 'A-2-1');
    const prepared = await Promise.all([one, two].map((id) => world.payments.prepare(id, 'bob', 'transfer')));
    const [first, second] = prepared.map((outcome) => (outcome.outcome === 'prepared' ? outcome.payment : undefined));
    const overLimit = { outcome: 'over-limit', limit: 2, have: 2 };
    world.provider.behave = async () => 'pending';
    await world.pay(first!);
    await world.pay(second!);
    // Both are being paid: the first payment is within the limit.
    await world.cashier.settle(first!.orderId, 'captured');
    world.provider.charges.set(second!.orderId, 'captured');
    await world.cashier.settle(second!.orderId, 'captured');
    expect(world.provider.refunds).toEqual([second!.orderId]);
    // A paid transfer counts before it is handed over.
    expect(await world.payments.prepare(two, 'bob', 'transfer')).toEqual(overLimit);
    expect(await world.holds.holdSeats({ eventId, visitor: 'bob', seats: { best: 1 } })).toEqual(overLimit);
    await world.settle();
    expect(await world.payments.prepare(two, 'bob', 'transfer')).toEqual(overLimit);
    expect((await world.transfers.find(two))!.state).toBe('listed');
    expect((await world.holds.listOf('bob')).filter((mine) => mine.eventId === eventId)).toHaveLength(2);
  });

  it('withdraw a listing with its reservation, or at the seller’s request', async () => {
    const world = await createChainWorld(suite, kafka());
    const eventId = await world.createEvent();
    const reservationId = await world.reserve(eventId, 'ann', 'A-1-1');
    const first = await world.list(reservationId, 'ann', 50_000);
    expect(await world.transfers.list(reservationId, 'ann', 50_001)).toEqual({ outcome: 'not-transferable' });
    expect(await world.transfers.cancel(first, 'bob')).toEqual({ outcome: 'no-transfer' });
    expect(await world.transfers.cancel(first, 'ann')).toMatchObject({ outcome: 'cancelled' });
    expect(await world.transfers.list(reservationId, 'ann', 50_001)).toEqual({ outcome: 'too-dear', most: 50_000 });
    const second = await world.list(reservationId, 'ann', 50_000);
    await world.cashier.cancel(reservationId);
    await world.settle();
    expect(await world.transfers.find(second)).toMatchObject({ state: 'cancelled' });
    expect(await world.payments.prepare(second, 'bob', 'transfer')).toEqual({ outcome: 'not-held' });
    expect((await world.stats.total({ eventId })).counts).toMatchObject({ transfersCancelled: 2, cancelled: 1 });
  });

  it('activate a paid membership, and the next one at its end', async () => {
    const world = await createChainWorld(suite, kafka());
    const user = `member-${process.pid}-${Math.random()}`;
    const first = await world.memberships.subscribe(user);
    expect(await world.memberships.subscribe(user)).toEqual(first);
    await world.buy(first.membershipId, user, 'membership');
    expect(await world.memberships.isMember(user)).toBe(false);
    await world.settle();
    expect(await world.memberships.isMember(user)).toBe(true);
    const second = await world.memberships.subscribe(user);
    await world.buy(second.membershipId, user, 'membership');
    await world.settle();
    const { startsAt, endsAt } = (await world.memberships.listOf(user)).find(
      ({ membershipId }) => membershipId === second.membershipId,
    )!;
    expect(startsAt).toBe(world.clock.now() + MEMBERSHIP_DAYS * DAY_MS);
    expect(endsAt).toBe(world.clock.now() + 2 * MEMBERSHIP_DAYS * DAY_MS);
    world.clock.advance(2 * MEMBERSHIP_DAYS * DAY_MS);
    expect(await world.memberships.isMember(user)).toBe(false);
    // A membership needs no admission, so there is no slot to release.
    expect(world.released).toEqual([]);
  });

  it('change nothing when every topic is read again from the start', async () => {
    const world = await createChainWorld(suite, kafka());
    const eventId = await world.createEvent();
    const [one, two] = [await world.reserve(eventId, 'ann', 'A-1-1'), await world.reserve(eventId, 'bob', 'A-1-2')];
    await world.cashier.cancel(two);
    await world.buy(await world.list(one, 'ann', 50_000), 'cid', 'transfer');
    await world.settle();
    const before = { types: await world.listTypes(), total: await world.stats.total({ eventId }) };
    await world.log.publish(await world.readAll());
    await world.settle();
    expect({ types: await world.listTypes(), total: await world.stats.total({ eventId }) }).toEqual(before);
    expect(before.total).toMatchObject({
      counts: { created: 2, confirmed: 2, cancelled: 1, transfers: 1 },
      money: [{ currency: 'KRW', revenue: 100_000, refunds: 50_000, transferred: 50_000, memberships: 0 }],
    });
  });
}

describeOnEachDatabase('consumers of payments', databaseSchema, (suite) => chains(suite, () => undefined));

describeWithKafka('consumers of payments over Kafka', () => {
  let address: string;
  beforeAll(async () => {
    address = await sharedKafka();
  });
  chains(onPostgres(databaseSchema), () => address);
});
