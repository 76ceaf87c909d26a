/** Attacks on tickets: guessed booking codes and emails, forged links, links to seats of others, links of former owners. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type Buyer, type ShopApp, shareShopDatabase } from '../shop/shop-app.ts';
import { describeWithPostgres } from '../support/postgres-server.ts';

const MINA = { name: 'Mina Kim', email: 'mina@example.org', phone: '010-1234-5678' };

interface Bought {
  reservationId: string;
  bookingCode: string;
  ticket: { code: string; entries: { code: string }[] };
}

async function buy(app: ShopApp, ask: Buyer, seatIds: string[]): Promise<Bought> {
  const { reservationId } = (await ask('POST', '/api/seats/reserve', { eventId: app.eventId, seatIds })).json();
  await ask('PUT', `/api/reservations/${reservationId}/buyer`, MINA);
  const { orderId, paymentKey, amount } = (await ask('POST', '/api/payments/prepare', { reservationId })).json();
  await ask('POST', '/api/payments/confirm', { orderId, paymentKey, amount });
  return (await ask('GET', `/api/reservations/${reservationId}`)).json();
}

describeWithPostgres('finding a ticket by booking code and email', () => {
  const { createShopApp } = shareShopDatabase();
  const find = ({ anyone }: ShopApp, bookingCode: string, email: string) =>
    anyone('POST', '/api/tickets/find', { body: { bookingCode, email } });

  it('gives the tickets to those who know both, without personal data, and to nobody a cache', async () => {
    const app = await createShopApp();
    const { bookingCode, ticket } = await buy(app, await app.buyer('ann'), ['A-1-1', 'A-1-2']);
    const found = await find(app, bookingCode.toLowerCase().replaceAll('-', ' '), 'MINA@example.org ');
    expect(found.statusCode).toBe(200);
    expect(found.headers['cache-control']).toBe('no-store');
    expect(found.json().entries.map(({ code }: { code: string }) => code)).toEqual(
      ticket.entries.map(({ code }) => code),
    );
    expect(found.body).not.toMatch(/Mina|mina|1234/);
  });

  it('answers the same for a wrong code, a wrong email, a text that is no code, and a buyer who gave no email', async () => {
    const app = await createShopApp({ LIMIT_FIND_TICKET_PER_IP: '0' });
    const { bookingCode } = await buy(app, await app.buyer('ann'), ['A-1-1']);
    const other = await buy(app, await app.buyer('bob'), ['A-1-2']);
    await sql`delete from buyers where reservation_id = ${other.reservationId}`.execute(
      await app.context.shop!.database.get(),
    );
    const answers = [
      await find(app, bookingCode, 'other@example.org'),
      await find(app, 'FL-2222-22', MINA.email),
      await find(app, 'nonsense', MINA.email),
      await find(app, bookingCode, 'no address'),
      await find(app, other.bookingCode, MINA.email),
      await find(app, other.bookingCode, '-'),
    ];
    const comparable = answers.map(({ statusCode, headers, body }) => {
      const { error } = JSON.parse(body);
      return { statusCode, code: error.code, message: error.message, names: Object.keys(headers).sort() };
    });
    expect([...new Set(comparable.map((answer) => JSON.stringify(answer)))]).toHaveLength(1);
    expect(comparable[0]).toMatchObject({ statusCode: 404, code: 'TICKET_NOT_FOUND' });
  });

  it('limits attempts per address', async () => {
    const app = await createShopApp({ LIMIT_FIND_TICKET_PER_IP: '3' });
    const { bookingCode } = await buy(app, await app.buyer('ann'), ['A-1-1']);
    for (const end of ['22', '23', '24']) await find(app, `FL-2222-${end}`, MINA.email);
    const refused = await find(app, bookingCode, MINA.email);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('limits guesses of the email behind a code, whether the code exists or not', async () => {
    const app = await createShopApp({ LIMIT_FIND_TICKET_PER_IP: '0' });
    const { bookingCode } = await buy(app, await app.buyer('ann'), ['A-1-1']);
    for (const code of [bookingCode, 'FL-2222-22']) {
      const statuses = [];
      for (let i = 0; i < 7; i += 1) statuses.push((await find(app, code, `guess${i}@example.org`)).statusCode);
      expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429]);
    }
    // Even the right email has to wait now, so that a guesser learns nothing.
    expect((await find(app, bookingCode, MINA.email)).statusCode).toBe(429);
    app.clock.advance(61_000);
    expect((await find(app, bookingCode, MINA.email)).statusCode).toBe(200);
  });

  it('finds nothing after a cancellation', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const { bookingCode, reservationId } = await buy(app, ann, ['A-1-1']);
    await ann('POST', `/api/reservations/${reservationId}/cancel`);
    expect((await find(app, bookingCode, MINA.email)).statusCode).toBe(404);
  });
});

describeWithPostgres('a shared link to one seat', () => {
  const { createShopApp } = shareShopDatabase();
  const open = ({ anyone }: ShopApp, code: string) => anyone('POST', '/api/tickets/shared', { body: { code } });

  it('shows that seat only, without personal data, and no cache keeps it', async () => {
    const app = await createShopApp();
    const { ticket, bookingCode } = await buy(app, await app.buyer('ann'), ['A-1-1', 'A-1-2']);
    const [, second] = ticket.entries;
    const shown = await open(app, second!.code);
    expect(shown.headers['cache-control']).toBe('no-store');
    expect(shown.json().entries).toMatchObject([{ entry: 2, seat: { seatId: 'A-1-2' } }]);
    expect(shown.body).not.toMatch(/Mina|mina|1234|A-1-1/);
    expect(shown.body).not.toContain(bookingCode);
  });

  it('is refused if it was forged or changed to another seat', async () => {
    const app = await createShopApp();
    const { ticket, reservationId } = await buy(app, await app.buyer('ann'), ['A-1-1', 'A-1-2']);
    const mac = ticket.entries[0]!.code.split('.')[1];
    const forged = [
      `${reservationId}~0~2.${mac}`,
      `${reservationId}~0~1.${'A'.repeat(43)}`,
      `${reservationId}~0~1`,
      ticket.entries[0]!.code.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      '',
    ];
    for (const code of forged) expect((await open(app, code)).statusCode).toBe(404);
  });

  it('is not the code of the whole reservation', async () => {
    const app = await createShopApp();
    const { ticket } = await buy(app, await app.buyer('ann'), ['A-1-1', 'A-1-2']);
    expect((await open(app, ticket.code)).statusCode).toBe(404);
  });

  it('is void after a cancellation', async () => {
    const app = await createShopApp();
    const ann = await app.buyer('ann');
    const { ticket, reservationId } = await buy(app, ann, ['A-1-1']);
    await ann('POST', `/api/reservations/${reservationId}/cancel`);
    expect((await open(app, ticket.entries[0]!.code)).statusCode).toBe(404);
  });

  it('is void after a transfer, as is the booking code; the new owner sees nothing of the seller', async () => {
    const app = await createShopApp();
    const [ann, bob] = [await app.buyer('ann'), await app.buyer('bob')];
    const { ticket, reservationId, bookingCode } = await buy(app, ann, ['A-1-1']);
    const { transferId } = (await ann('POST', '/api/transfers', { reservationId, price: 1_000 })).json();
    const bought = { paymentType: 'transfer', referenceId: transferId };
    const { orderId, paymentKey, amount } = (await bob('POST', '/api/payments/prepare', bought)).json();
    await bob('POST', '/api/payments/confirm', { orderId, paymentKey, amount });
    await sql`select complete_transfer(${transferId}, ${new Date(app.clock.now())})`.execute(
      await app.context.shop!.database.get(),
    );
    expect((await open(app, ticket.entries[0]!.code)).statusCode).toBe(404);
    const find = { body: { bookingCode, email: MINA.email } };
    expect((await app.anyone('POST', '/api/tickets/find', find)).statusCode).toBe(404);
    const owned = await bob('GET', `/api/reservations/${reservationId}`);
    expect(owned.body).not.toMatch(/Mina|mina@|1234-5678/);
    expect(owned.json().bookingCode).not.toBe(bookingCode);
    expect((await open(app, owned.json().ticket.entries[0].code)).statusCode).toBe(200);
  });
});
