/** A guest's listings and purchases move to the user who signs in, also during payments and transfers. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { createAccountStore } from '../../src/compose/open-accounts.ts';
import { createChainWorld } from '../payments/chain/chain-world.ts';
import { unique } from '../shop/shop-fixture.ts';
import { describeOnEachDatabase } from '../support/databases.ts';

describeOnEachDatabase('a guest who signs in', databaseSchema, (suite) => {
  async function createWorld() {
    const world = await createChainWorld(suite);
    const accountStore = createAccountStore(suite.lazy, world.clock);
    const [guest, user, other] = ['guest', 'user', 'other'].map(unique) as [string, string, string];
    const eventId = await world.createEvent();
    return { ...world, accountStore, guest, user, other, eventId };
  }

  async function offer(world: Awaited<ReturnType<typeof createWorld>>, seller: string): Promise<[string, string]> {
    const reservationId = await world.reserve(world.eventId, seller, 'A-1-1');
    return [reservationId, await world.list(reservationId, seller, 40_000)];
  }

  /** An order for a transfer; `asked`: the provider was called and has not responded. */
  async function order(world: Awaited<ReturnType<typeof createWorld>>, transferId: string, by: string, asked = false) {
    const prepared = await world.payments.prepare(transferId, by, 'transfer');
    if (prepared.outcome !== 'prepared') throw new Error(prepared.outcome);
    if (asked) {
      world.provider.behave = async () => 'pending';
      await world.pay(prepared.payment);
    }
    return prepared.payment;
  }

  const statesOf = async (world: Awaited<ReturnType<typeof createWorld>>, ...orders: { orderId: string }[]) =>
    Promise.all(orders.map(async ({ orderId }) => (await world.payments.find({ orderId }))!.state));

  it('gets the guest’s listings, and can withdraw them', async () => {
    const world = await createWorld();
    const [, transferId] = await offer(world, world.guest);
    expect(await world.accountStore.takeOver(world.guest, world.user)).toBe('done');
    expect(await world.transfers.listOf(world.user)).toMatchObject([{ transferId, seller: world.user }]);
    await world.buy(transferId, world.other, 'transfer');
    await world.settle();
    const { rows } = await sql`select seller from seller_credits where transfer_id = ${transferId}`.execute(suite.db);
    expect(rows).toEqual([{ seller: world.user }]);
  });

  it('gets what the guest has paid for, even if it is handed over later', async () => {
    const world = await createWorld();
    const [reservationId, transferId] = await offer(world, world.other);
    await world.buy(transferId, world.guest, 'transfer');
    await world.accountStore.takeOver(world.guest, world.user);
    await world.settle();
    expect(await world.holds.find(reservationId)).toMatchObject({ visitor: world.user, state: 'confirmed' });
    expect(await world.findContradictions(world.eventId)).toEqual([]);
  });

  it.each([
    ['neither was paid', false, false, ['cancelled', 'prepared']],
    ['the guest’s is being paid', true, false, ['confirming', 'cancelled']],
    ['the user’s is being paid', false, true, ['cancelled', 'confirming']],
  ])('keeps one of two orders for the same transfer where %s', async (_what, guestAsked, userAsked, states) => {
    const world = await createWorld();
    const [, transferId] = await offer(world, world.other);
    const guests = await order(world, transferId, world.guest, guestAsked);
    const users = await order(world, transferId, world.user, userAsked);
    expect(await world.accountStore.takeOver(world.guest, world.user)).toBe('done');
    expect(await statesOf(world, guests, users)).toEqual(states);
    expect(await world.payments.listOf(world.guest)).toEqual([]);
  });

  it('is asked to retry while both orders are being paid', async () => {
    const world = await createWorld();
    const [reservationId, transferId] = await offer(world, world.other);
    const guests = await order(world, transferId, world.guest, true);
    // Until the transfer is no longer reserved.
    world.clock.advance(120_000);
    const users = await order(world, transferId, world.user, true);
    expect(await world.accountStore.takeOver(world.guest, world.user)).toBe('busy');
    expect(await world.payments.listOf(world.guest)).toMatchObject([{ state: 'confirming' }]);
    for (const { orderId } of [users, guests]) {
      world.provider.charges.set(orderId, 'captured');
      await world.cashier.settle(orderId, 'captured');
    }
    expect(await statesOf(world, users, guests)).toEqual(['confirmed', 'refunded']);
    expect(await world.accountStore.takeOver(world.guest, world.user)).toBe('done');
    await world.settle();
    expect((await world.holds.find(reservationId))!.visitor).toBe(world.user);
  });
});
