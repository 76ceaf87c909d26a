/** Transfers, memberships and statistics as a browser and an operator see them. */
import { expect, it, onTestFinished } from 'vitest';
import { startRoles } from '../../src/compose/roles.ts';
import { describeWithPostgres } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { type Buyer, type ShopApp, shareShopDatabase } from './shop-app.ts';

describeWithPostgres('after the sale', () => {
  const { createShopApp } = shareShopDatabase();

  /** With all background roles. */
  async function createRunningShop(): Promise<ShopApp> {
    const app = await createShopApp({ RECORDS_POLL_MS: '10', LIMIT_PAYMENT_PER_VISITOR: '0' });
    onTestFinished(await startRoles(app.context));
    return app;
  }

  async function pay(ask: Buyer, purchase: Record<string, unknown>): Promise<void> {
    const prepared = await ask('POST', '/api/payments/prepare', purchase);
    const { orderId, paymentKey, amount } = prepared.json();
    const confirmed = await ask('POST', '/api/payments/confirm', { orderId, paymentKey, amount });
    expect(confirmed.json()).toMatchObject({ status: 'confirmed' });
  }

  async function buy(app: ShopApp, user: string): Promise<{ ask: Buyer; reservationId: string }> {
    const ask = await app.buyer(user);
    const held = await ask('POST', '/api/seats/reserve', { eventId: app.eventId, best: { count: 1 } });
    const { reservationId } = held.json();
    await pay(ask, { reservationId });
    return { ask, reservationId };
  }

  it('hands a listed reservation over to the buyer, and only to them', async () => {
    const app = await createRunningShop();
    const { ask: ann, reservationId } = await buy(app, 'ann');
    const bob: Buyer = (method, url, body) => app.as('bob')(method, url, body === undefined ? {} : { body });
    const tooDear = await ann('POST', '/api/transfers', { reservationId, price: 50_001 });
    expect([tooDear.statusCode, tooDear.json().error.fields[0].field]).toEqual([400, 'price']);
    expect((await bob('POST', '/api/transfers', { reservationId, price: 1 })).json().error.code).toBe(
      'RESERVATION_NOT_FOUND',
    );
    const listed = await ann('POST', '/api/transfers', { reservationId, price: 45_000 });
    expect([listed.statusCode, listed.json().status]).toEqual([201, 'listed']);
    const { transferId } = listed.json();
    const [offer] = (await bob('GET', `/api/transfers?eventId=${app.eventId}`)).json();
    expect((await bob('GET', '/api/transfers')).json()).toContainEqual(offer);
    expect((await bob('GET', '/api/transfers?eventId=another-event')).json()).toEqual([]);
    expect(offer).toMatchObject({ transferId, price: 45_000, tickets: [] });
    expect(offer.seats).toEqual((await ann('GET', `/api/reservations/${reservationId}`)).json().seats);
    expect(JSON.stringify(offer)).not.toContain('ann');
    const codeBefore = (await ann('GET', `/api/reservations/${reservationId}`)).json().ticket.code;
    await pay(bob, { paymentType: 'transfer', referenceId: transferId });
    await until(
      'the handing over',
      async () => (await bob('GET', `/api/reservations/${reservationId}`)).statusCode === 200,
    );
    const theirs = (await bob('GET', `/api/reservations/${reservationId}`)).json();
    expect(theirs.ticket.code).not.toBe(codeBefore);
    expect((await ann('GET', `/api/reservations/${reservationId}`)).json().error.code).toBe('RESERVATION_NOT_FOUND');
    const annsPayment = (await ann('GET', '/api/payments/user/me')).json()[0];
    const refused = await ann('POST', `/api/payments/${annsPayment.paymentKey}/cancel`);
    expect(refused.json().error.code).toBe('NOT_CANCELLABLE');
    expect((await ann('GET', '/api/transfers/my')).json()).toMatchObject([{ role: 'seller', status: 'completed' }]);
    expect((await ann('POST', `/api/transfers/${transferId}/cancel`)).json().error.code).toBe('TRANSFER_OVER');
    expect((await app.as('eve')('GET', `/api/transfers/${transferId}`)).json().error.code).toBe('TRANSFER_NOT_FOUND');
  });

  it('gives a paid member priority in line, and refuses memberships for guests', async () => {
    const app = await createRunningShop();
    const member: Buyer = (method, url, body) => app.as('fan')(method, url, body === undefined ? {} : { body });
    const { membershipId } = (await member('POST', '/api/memberships/subscribe')).json();
    expect(
      (await member('POST', '/api/payments/prepare', { paymentType: 'membership' })).json().error.fields[0].field,
    ).toBe('referenceId');
    await pay(member, { paymentType: 'membership', referenceId: membershipId });
    await until('it to begin', async () => (await member('GET', '/api/memberships/my')).json().isMember);
    await app.operator('PUT', '/api/admin/rooms/with-a-lane', { body: { maxActive: 0, priorityShare: 20 } });
    expect((await member('POST', '/api/queue/check/with-a-lane')).json()).toMatchObject({ lane: 'priority' });
    const other = await app.as('passer-by')('POST', '/api/queue/check/with-a-lane');
    expect(other.json()).not.toHaveProperty('lane');
    const guest = await app.anyone('POST', '/api/queue/check/whatever');
    const cookie = [guest.headers['set-cookie'] ?? []]
      .flat()
      .map((text) => text.split(';')[0])
      .join('; ');
    expect((await app.anyone('POST', '/api/memberships/subscribe', { headers: { cookie } })).statusCode).toBe(401);
  });

  it('lets members buy first, and tells others when the sale begins', async () => {
    const app = await createRunningShop();
    const onSaleAt = new Date(app.clock.now() + 3_600_000).toISOString();
    const changed = await app.operator('PUT', `/api/admin/events/${app.eventId}`, { body: { onSaleAt } });
    expect(changed.json()).toMatchObject({ onSaleAt, membersFrom: '2025-12-31T01:00:00.000Z' });
    const [fan, other] = [await app.buyer('early-fan'), await app.buyer('other')];
    const { membershipId } = (await fan('POST', '/api/memberships/subscribe')).json();
    await pay(fan, { paymentType: 'membership', referenceId: membershipId });
    await until('it to begin', async () => (await fan('GET', '/api/memberships/my')).json().isMember);
    const reserve = (ask: Buyer) => ask('POST', '/api/seats/reserve', { eventId: app.eventId, best: { count: 1 } });
    expect((await reserve(fan)).statusCode).toBe(201);
    const refused = await reserve(other);
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'NOT_ON_SALE_YET']);
    expect(refused.json().error.message).toContain('The sale begins at 2026-01-01T01:00:00Z');
    const nonsense = await app.operator('PUT', `/api/admin/events/${app.eventId}`, { body: { onSaleAt: 'soon' } });
    expect([nonsense.statusCode, nonsense.json().error.fields[0].field]).toEqual([400, 'onSaleAt']);
    await app.operator('PUT', `/api/admin/events/${app.eventId}`, { body: { onSaleAt: null } });
    expect((await reserve(other)).statusCode).toBe(201);
  });

  it('refuses a sale that begins after the event', async () => {
    const app = await createRunningShop();
    const put = (body: object, eventId = app.eventId) => app.operator('PUT', `/api/admin/events/${eventId}`, { body });
    const { startsAt, title } = (await app.operator('GET', `/api/admin/events/${app.eventId}`)).json();
    const later = new Date(Date.parse(startsAt) + 1).toISOString();
    expect((await put({ onSaleAt: startsAt })).statusCode).toBe(200);
    for (const answer of [
      await put({ onSaleAt: later, title: 'Other' }),
      await put({ startsAt: new Date(Date.parse(startsAt) - 1).toISOString() }),
      await put({ title: 'New', startsAt, onSaleAt: later }, 'begun-before'),
    ]) {
      const { code, fields } = answer.json().error;
      expect([answer.statusCode, code, fields[0].field]).toEqual([400, 'INVALID_INPUT', 'onSaleAt']);
      expect(fields[0].message).toContain('must not be after startsAt');
    }
    const after = (await app.operator('GET', `/api/admin/events/${app.eventId}`)).json();
    expect(after).toMatchObject({ title, startsAt, onSaleAt: startsAt });
    expect((await app.operator('GET', '/api/admin/events/begun-before')).statusCode).toBe(404);
    expect((await put({ startsAt: later, onSaleAt: later })).statusCode).toBe(200);
  });

  it('refuses a buyer who would exceed the ticket limit before they pay', async () => {
    const app = await createRunningShop();
    await app.operator('PUT', `/api/admin/events/${app.eventId}`, { body: { maxPerPerson: 1 } });
    const { ask: ann, reservationId } = await buy(app, 'ann-of-limits');
    const { ask: bob } = await buy(app, 'bob-of-limits');
    const { transferId } = (await ann('POST', '/api/transfers', { reservationId, price: 45_000 })).json();
    const refused = await bob('POST', '/api/payments/prepare', { paymentType: 'transfer', referenceId: transferId });
    expect(refused.json().error).toMatchObject({
      ...{ code: 'LIMIT_PER_PERSON', message: 'The limit for this event is 1 tickets per person; you have 1.' },
    });
  });

  it('shows the statistics to operators only', async () => {
    const app = await createRunningShop();
    const { reservationId, ask } = await buy(app, 'ann');
    await buy(app, 'bob');
    await ask('POST', `/api/reservations/${reservationId}/cancel`);
    const stats = async (path: string) => (await app.operator('GET', `/api/stats/${path}`)).json();
    await app.context.shop!.records.tellTraffic();
    await until('everything to be counted', async () => {
      const { counts } = await stats(`events/${app.eventId}`);
      return counts.cancelled === 1 && counts.joined === 2;
    });
    expect(await stats(`conversion?eventId=${app.eventId}`)).toEqual({
      ...{ joined: 2, admitted: 2, held: 2, paid: 2 },
      ...{ admittedOfJoined: 1, heldOfAdmitted: 1, paidOfHeld: 1, paidOfJoined: 1 },
    });
    expect(await stats(`revenue?eventId=${app.eventId}`)).toMatchObject({
      total: [{ currency: 'KRW', revenue: 100_000, refunds: 50_000 }],
      daily: [{ day: '2026-01-01' }],
    });
    const sales = (await app.operator('GET', `/api/admin/events/${app.eventId}/sales`)).json();
    expect(sales).toMatchObject({ purchases: 1, grossRevenue: 100_000, refunds: 50_000, revenue: 50_000 });
    expect((await stats('daily?from=2026-01-01&to=2026-01-01')).length).toBe(1);
    expect((await stats('events')).map(({ eventId }: { eventId: string }) => eventId)).toContain(app.eventId);
    expect(await stats('realtime')).toMatchObject({ thisHour: { counts: {} }, behind: expect.any(Number) });
    expect((await stats('overview')).conversion.paid).toBeGreaterThanOrEqual(2);
    const wrong = await app.operator('GET', '/api/stats/daily?from=yesterday');
    expect([wrong.statusCode, wrong.json().error.fields[0].field]).toEqual([400, 'from']);
    for (const path of ['overview', 'daily', 'events', `events/${app.eventId}`, 'revenue', 'realtime', 'conversion']) {
      expect((await app.as('ann')('GET', `/api/stats/${path}`)).statusCode).toBe(401);
    }
  });
});
