import { expect, it } from 'vitest';
import { createWebhookSignatures } from '../../src/payments/webhooks.ts';
import { createTickets } from '../../src/shop/tickets.ts';
import { createKeyRing } from '../../src/signing-keys/key-ring.ts';
import { describeWithPostgres } from '../support/postgres-server.ts';
import { secrets } from '../support/test-app.ts';
import { type Buyer, type ShopApp, shareShopDatabase } from './shop-app.ts';

const reserve = '/api/seats/reserve';

async function buy(app: ShopApp, ask: Buyer, seatIds: string[], method = 'card-approve') {
  const held = await ask('POST', reserve, { eventId: app.eventId, seatIds });
  expect(held.statusCode).toBe(201);
  const { reservationId } = held.json();
  const prepared = (await ask('POST', '/api/payments/prepare', { reservationId })).json();
  const { orderId, paymentKey, amount } = prepared;
  const paid = await ask('POST', '/api/payments/confirm', { orderId, paymentKey, amount, method });
  return { reservationId, prepared, paid };
}

describeWithPostgres('the journey through the shop', () => {
  const { createShopApp } = shareShopDatabase();

  it('leads from the line to a ticket, and releases the slot for the next visitor', async () => {
    const app = await createShopApp({ QUEUE_THRESHOLD: '1' });
    const ann = await app.buyer('ann');
    const waiting = app.as('bob');
    expect((await waiting('POST', `/api/queue/check/${app.eventId}`)).json().status).toBe('queued');
    const { reservationId, prepared, paid } = await buy(app, ann, ['A-1-1', 'A-1-2']);
    expect(prepared).toMatchObject({
      amount: 100_000,
      currency: 'KRW',
      status: 'prepared',
      paymentType: 'reservation',
    });
    expect(paid.json()).toMatchObject({ status: 'confirmed' });
    const detail = (await ann('GET', `/api/reservations/${reservationId}`)).json();
    expect(detail).toMatchObject({ status: 'confirmed', seats: [{ seatId: 'A-1-1' }, { seatId: 'A-1-2' }] });
    expect(createTickets(createKeyRing('ticketCode', [secrets.TICKET_SECRET])).read(detail.ticket.code)).toEqual({
      reservationId,
      ticketNo: 0,
    });
    expect(detail.ticket.qr).toMatch(/^<svg /);
    await app.context.line.admissions.tick(app.eventId);
    expect((await waiting('GET', `/api/queue/status/${app.eventId}`)).json().status).toBe('active');
    expect((await ann('GET', '/api/payments/user/me')).json()).toHaveLength(1);
  });

  it('releases only the slot of the purchase, even if that is delayed and the buyer was admitted again', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const { visits } = app.context.line;
    const { leave } = visits;
    visits.leave = () => Promise.reject(new Error('the line is away'));
    expect((await buy(app, ann, ['A-1-1'])).paid.json().status).toBe('confirmed');
    visits.leave = leave;
    await app.as('ann')('POST', `/api/queue/leave/${app.eventId}`);
    expect((await app.as('ann')('POST', `/api/queue/check/${app.eventId}`)).json().status).toBe('active');
    app.clock.advance(30_000);
    await app.context.shop!.keep();
    expect((await app.as('ann')('GET', `/api/queue/status/${app.eventId}`)).json().status).toBe('active');
  });

  it('requires the visitor’s own entry token for this event, until the purchase', async () => {
    const app = await createShopApp();
    const other = await createShopApp();
    const body = { eventId: app.eventId, seatIds: ['A-1-1'] };
    const without = await app.as('ann')('POST', reserve, { body });
    expect(without.statusCode).toBe(403);
    expect(without.json()).toMatchObject({
      error: { code: 'ENTRY_TOKEN_REQUIRED' },
      redirectTo: `/queue/${app.eventId}`,
    });
    const ann = await app.buyer('ann');
    const refused = (answer: { statusCode: number; json: () => unknown }) => {
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({
        error: { code: 'ENTRY_TOKEN_INVALID' },
        redirectTo: `/queue/${app.eventId}`,
      });
    };
    const stolen = await ann('POST', reserve, body, { authorization: `Bearer ${app.userToken('mallory')}` });
    refused(stolen);
    const elsewhere = await other.buyer('ann');
    refused(await elsewhere('POST', reserve, body));
    refused(await ann('POST', reserve, body, { 'x-queue-entry-token': 'forged' }));
    const standing = { eventId: app.eventId, tickets: [{ typeId: 'floor', quantity: 1 }] };
    refused(await elsewhere('POST', '/api/reservations', standing));
    await buy(app, ann, ['A-1-1']);
    refused(await ann('POST', reserve, { ...body, seatIds: ['A-2-2'] }));
    expect((await app.operator('GET', `/api/admin/events/${app.eventId}`)).json().seats.remaining).toBe(49);
  });

  it('serves the seat map as one cacheable body, with a new version for every change', async () => {
    const app = await createShopApp();
    const path = `/api/seats/events/${app.eventId}`;
    const ann = await app.buyer('ann');
    await ann('POST', reserve, { eventId: app.eventId, best: { count: 2, section: 'A' } });
    const map = await app.anyone('GET', path);
    expect(map.headers['cache-control']).toBe('public, max-age=1');
    expect(map.json()).toMatchObject({ total: 50, remaining: 48 });
    expect(map.json().sections[0].seats[0]).toBe('0000110000');
    const again = await app.anyone('GET', path, { headers: { 'if-none-match': map.headers.etag as string } });
    expect(again.statusCode).toBe(304);
    expect((await app.anyone('GET', '/api/seats/events/nowhere')).statusCode).toBe(404);
  });

  it('holds standing tickets, and returns the same hold for the same key', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const body = { eventId: app.eventId, tickets: [{ typeId: 'floor', quantity: 2 }] };
    const first = await ann('POST', '/api/reservations', body, { 'idempotency-key': app.eventId });
    const again = await ann('POST', '/api/reservations', body, { 'idempotency-key': app.eventId });
    expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
    expect(again.json()).toEqual(first.json());
    expect(first.json()).toMatchObject({ status: 'held', amount: 60_000, remainingSeconds: 300 });
    const other = { ...body, tickets: [{ typeId: 'floor', quantity: 1 }] };
    const reused = await ann('POST', '/api/reservations', other, { 'idempotency-key': app.eventId });
    expect(reused.json()).toMatchObject({ error: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    const { reservationId } = first.json();
    expect((await ann('POST', `/api/reservations/${reservationId}/cancel`)).json().status).toBe('cancelled');
    const strangers = await app.as('bob')('GET', `/api/reservations/${reservationId}`);
    expect(strangers.json()).toMatchObject({ error: { code: 'RESERVATION_NOT_FOUND' } });
  });

  it('refunds a cancellation in full until the refund deadline', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const { reservationId, prepared } = await buy(app, ann, ['A-3-1']);
    const cancelled = await ann('POST', `/api/payments/${prepared.paymentKey}/cancel`);
    expect(cancelled.json()).toMatchObject({ status: 'refunded' });
    expect((await ann('GET', `/api/reservations/${reservationId}`)).json().status).toBe('cancelled');
    const bob = await app.buyer('bob');
    const late = await buy(app, bob, ['A-3-1']);
    app.clock.advance(Date.parse('2026-05-31T10:00:00Z') - app.clock.now());
    const refused = await app.as('bob')('POST', `/api/reservations/${late.reservationId}/cancel`);
    expect(refused.json()).toMatchObject({ error: { code: 'NOT_CANCELLABLE' } });
  });

  it('settles a declined payment, a late one and one without a response', async () => {
    const app = await createShopApp({ PAYMENT_TIMEOUT_MS: '100' });
    const ann = await app.buyer('ann');
    const declined = await buy(app, ann, ['A-1-1'], 'card-decline');
    expect([declined.paid.statusCode, declined.paid.json().error.code]).toEqual([402, 'PAYMENT_DECLINED']);
    for (const [user, method] of [
      ['bob', 'card-late'],
      ['cid', 'card-timeout'],
    ] as const) {
      const ask = await app.buyer(user);
      const { paid, reservationId } = await buy(app, ask, [user === 'bob' ? 'A-2-1' : 'A-2-2'], method);
      expect([paid.statusCode, paid.json().status]).toEqual([202, 'confirming']);
      app.clock.advance(5_000);
      await app.context.shop!.keep();
      expect((await ask('GET', `/api/reservations/${reservationId}`)).json().status).toBe('confirmed');
    }
  });

  it('accepts webhooks only if signed, recent and with the right amount, and counts each once', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const { reservationId } = (await ann('POST', reserve, { eventId: app.eventId, seatIds: ['A-1-1'] })).json();
    const { orderId } = (await ann('POST', '/api/payments/prepare', { reservationId })).json();
    const { sign } = createWebhookSignatures([secrets.PAYMENT_WEBHOOK_SECRET]);
    const nowSeconds = Math.floor(app.clock.now() / 1000);
    const call = (message: object, signature = sign(JSON.stringify(message), nowSeconds)) =>
      app.anyone('POST', '/api/payments/webhook', { headers: { 'x-payment-signature': signature }, body: message });
    const message = { id: orderId, type: 'payment.captured', orderId, amount: 50_000, currency: 'KRW' };
    expect((await call(message, 't=1,v1=x')).statusCode).toBe(401);
    expect((await call(message, sign(JSON.stringify(message), nowSeconds - 301))).statusCode).toBe(401);
    expect((await call(message, sign(JSON.stringify({ ...message, amount: 1 }), nowSeconds))).statusCode).toBe(401);
    expect((await call({ ...message, amount: 1 })).statusCode).toBe(409);
    expect((await call({ ...message, currency: 'VND' })).statusCode).toBe(409);
    expect((await call({ ...message, orderId: 'o_none' })).statusCode).toBe(404);
    const detail = async () => (await ann('GET', `/api/reservations/${reservationId}`)).json().status;
    expect(await detail()).toBe('held');
    expect((await call(message)).statusCode).toBe(200);
    expect(await detail()).toBe('confirmed');
    await ann('POST', `/api/reservations/${reservationId}/cancel`);
    expect((await call(message)).statusCode).toBe(200);
    expect(await detail()).toBe('cancelled');
  });
});

describeWithPostgres('bad input to the shop', () => {
  const { createShopApp } = shareShopDatabase();

  it('is refused with a 4xx that names the field, and changes nothing', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const { eventId } = app;
    const other = await createShopApp();
    await other.context.shop!.events.putEvent('unrelated', { title: 'Other', startsAt: '2026-06-01T10:00:00Z' });
    const section = { id: 'Z', name: 'Other', rows: 1, seatsPerRow: 1, price: 1 };
    await other.context.shop!.events.putLayout('unrelated', { name: 'Other', sections: [section], standing: [] });
    await other.context.shop!.events.generateSeats('unrelated', 'unrelated');
    const thousand = Array.from({ length: 1_000 }, (_, i) => `A-1-${i + 1}`);
    const cases: [string, string, object, number, string][] = [
      ['unknown seats', reserve, { eventId, seatIds: ['A-9-9'] }, 404, 'A-9-9 does not exist at this event'],
      [
        'a seat of another event',
        reserve,
        { eventId, seatIds: ['A-1-1', 'Z-1-1'] },
        404,
        'Z-1-1 does not exist at this',
      ],
      ['another event', reserve, { eventId: other.eventId, seatIds: ['A-1-1'] }, 403, 'ENTRY_TOKEN_INVALID'],
      ['an event that cannot be', reserve, { eventId: '../x', seatIds: ['A-1-1'] }, 400, 'eventId'],
      ['a thousand seats', reserve, { eventId, seatIds: thousand }, 413, 'BODY_TOO_LARGE'],
      ['500 seats', reserve, { eventId, seatIds: thousand.slice(0, 500) }, 400, 'must NOT have more than 20 items'],
      ['a seat twice', reserve, { eventId, seatIds: ['A-1-1', 'A-1-1'] }, 400, 'must NOT have duplicate items'],
      ['no seats', reserve, { eventId, seatIds: [] }, 400, 'must NOT have fewer than 1 items'],
      ['a seat that cannot be', reserve, { eventId, seatIds: ["A-1-1'; --"] }, 400, 'section-row-number'],
      [
        'seats and the best',
        reserve,
        { eventId, seatIds: ['A-1-1'], best: { count: 1 } },
        400,
        'exactly one of seatIds and best',
      ],
      ['more than the limit', reserve, { eventId, best: { count: 5 } }, 409, 'The limit for this event is 4'],
      ['an unknown field', reserve, { eventId, seatIds: ['A-1-1'], price: 1 }, 400, 'price is not a known field'],
      [
        'a type twice',
        '/api/reservations',
        {
          eventId,
          tickets: [
            { typeId: 'floor', quantity: 1 },
            { typeId: 'floor', quantity: 1 },
          ],
        },
        400,
        'twice',
      ],
      [
        'a negative quantity',
        '/api/reservations',
        { eventId, tickets: [{ typeId: 'floor', quantity: -1 }] },
        400,
        'must be >= 1',
      ],
      [
        'an unknown type',
        '/api/reservations',
        { eventId, tickets: [{ typeId: 'moon', quantity: 1 }] },
        404,
        'moon does not exist',
      ],
      [
        'more than twenty of a type',
        '/api/reservations',
        { eventId, tickets: [{ typeId: 'floor', quantity: 21 }] },
        400,
        'must be <= 20',
      ],
      [
        'a negative amount',
        '/api/payments/prepare',
        { reservationId: 'r_none', amount: -1 },
        400,
        'amount must be >= 0',
      ],
      ['a reservation of nobody', '/api/payments/prepare', { reservationId: 'r_none' }, 404, 'no such reservation'],
      [
        'an order of nobody',
        '/api/payments/confirm',
        { orderId: 'o', paymentKey: 'p', amount: 1 },
        404,
        'no such payment',
      ],
    ];
    for (const [name, path, body, status, words] of cases) {
      const answer = await ann('POST', path, body);
      expect([name, answer.statusCode], answer.body).toEqual([name, status]);
      expect(answer.body, name).toContain(words);
    }
    const event = (await app.operator('GET', `/api/admin/events/${eventId}`)).json();
    expect(event).toMatchObject({ seats: { remaining: 50 }, standing: [{ remaining: 20 }] });
  });

  it('is refused when an idempotency key is reused for another request', async () => {
    const app = await createShopApp();
    const ann = await app.buyer(`ann at ${app.eventId}`);
    const { eventId } = app;
    const key = { 'idempotency-key': 'k1' };
    const first = await ann('POST', reserve, { eventId, seatIds: ['A-1-1', 'A-1-2'] }, key);
    const same = await ann('POST', reserve, { eventId, seatIds: ['A-1-2', 'A-1-1'] }, key);
    expect([same.statusCode, same.json().reservationId]).toEqual([200, first.json().reservationId]);
    for (const [path, body] of [
      [reserve, { eventId, seatIds: ['A-1-1'] }],
      [reserve, { eventId, seatIds: ['A-2-1', 'A-2-2'] }],
      [reserve, { eventId, best: { count: 2 } }],
      ['/api/reservations', { eventId, tickets: [{ typeId: 'floor', quantity: 2 }] }],
    ] as const) {
      const answer = await ann('POST', path, body, key);
      expect([answer.statusCode, answer.json().error.code], answer.body).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    const event = (await app.operator('GET', `/api/admin/events/${eventId}`)).json();
    expect(event).toMatchObject({ seats: { remaining: 48 }, standing: [{ remaining: 20 }] });
    const blank = await ann('POST', reserve, { eventId, seatIds: ['A-3-1'] }, { 'idempotency-key': 'a b' });
    expect([blank.statusCode, blank.json().error.fields[0].field]).toEqual([400, 'idempotency-key']);
  });

  it('is refused without a charge when amount, currency or key differ from the order', async () => {
    const app = await createShopApp({ LIMIT_PAYMENT_PER_VISITOR: '0' });
    const ann = await app.buyer('ann');
    const { reservationId } = (await ann('POST', reserve, { eventId: app.eventId, seatIds: ['A-1-1'] })).json();
    const { orderId, paymentKey } = (await ann('POST', '/api/payments/prepare', { reservationId })).json();
    const good = { orderId, paymentKey, amount: 50_000, currency: 'KRW' };
    const cases: [object, number, string][] = [
      [{ amount: -50_000 }, 400, 'amount'],
      [{ amount: 49_999 }, 409, 'amount'],
      [{ amount: 50_000.5 }, 400, 'amount'],
      [{ amount: '50000' }, 400, 'amount'],
      [{ amount: 9e15 }, 400, 'amount'],
      [{ currency: 'VND' }, 409, 'currency'],
      [{ currency: 'krw' }, 400, 'currency'],
      [{ currency: '' }, 400, 'currency'],
      [{ currency: 'ＫＲＷ' }, 400, 'currency'],
      [{ currency: null }, 400, 'currency'],
      [{ amount: 0 }, 409, 'amount'],
      [{ amount: 1e300 }, 400, 'amount'],
      [{ paymentKey: 'p_other' }, 409, 'paymentKey'],
    ];
    for (const [change, status, field] of cases) {
      const answer = await ann('POST', '/api/payments/confirm', { ...good, ...change });
      expect(answer.statusCode, answer.body).toBe(status);
      expect(answer.json().error.fields).toMatchObject([{ field }]);
    }
    const tooLittle = await ann('POST', '/api/payments/prepare', { reservationId, amount: 1 });
    expect(tooLittle.json()).toMatchObject({ error: { code: 'PAYMENT_MISMATCH' } });
    expect((await ann('GET', `/api/payments/order/${orderId}`)).json().status).toBe('prepared');
  });

  it('is reported to operators field by field', async () => {
    const app = await createShopApp();
    const { operator, eventId, as } = app;
    expect((await as('ann')('PUT', `/api/admin/events/${eventId}`, { body: { title: 'Mine' } })).statusCode).toBe(401);
    const empty = await operator('PUT', '/api/admin/events/new-one', { body: { artist: 'X' } });
    expect(empty.json().error.fields.map(({ field }: { field: string }) => field)).toEqual(['title', 'startsAt']);
    const script = { title: 'X', startsAt: '2026-06-01T10:00:00Z', imageUrl: 'javascript:alert(1)' };
    expect((await operator('PUT', '/api/admin/events/new-one', { body: script })).statusCode).toBe(400);
    const section = { id: 'A', name: 'A', rows: 1_000, seatsPerRow: 1_000, price: 1 };
    const huge = await operator('PUT', '/api/admin/layouts/huge', {
      body: { name: 'H', sections: [section], standing: [] },
    });
    expect(huge.body).toContain('the maximum is 60000');
    const again = await operator('POST', `/api/admin/events/${eventId}/seats`, { body: { layoutId: eventId } });
    expect(again.json()).toMatchObject({ error: { code: 'EVENT_ON_SALE' } });
    const currency = await operator('PUT', `/api/admin/events/${eventId}`, { body: { currency: 'USD' } });
    expect(currency.json()).toMatchObject({ error: { code: 'EVENT_ON_SALE' } });
  });
});
