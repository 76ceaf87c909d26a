/** A running sale for screenshots: events, visitors in line and inside, sold seats, offered tickets. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './set-up.mjs';

export const ADMIN_TOKEN = 'operator-of-the-pictures';
const EVENT = {
  title: '봄밤 Spring Night',
  artist: 'The Queues',
  venue: '서울 콘서트홀 Seoul Concert Hall',
  startsAt: '2027-04-17T10:00:00Z',
  description: '',
};
const LAYOUT = {
  name: 'Hall',
  sections: [
    { id: 'L', name: 'Left', rows: 18, seatsPerRow: 14, price: 99_000 },
    { id: 'C', name: 'Centre', rows: 18, seatsPerRow: 30, price: 143_000 },
    { id: 'R', name: 'Right', rows: 18, seatsPerRow: 14, price: 99_000 },
    { id: 'B', name: 'Balcony', rows: 10, seatsPerRow: 64, price: 66_000 },
  ],
  standing: [{ id: 'floor', name: 'Standing', quantity: 300, price: 77_000 }],
};

/** The hall of the journey: the shapes that a real hall has, with Korean names. */
const ARENA = {
  name: 'Arena',
  sections: [
    { id: 'A', name: 'A구역', rows: 12, seatsPerRow: 22, price: 143_000, curve: 30, at: { x: 0, y: 12 } },
    { id: 'B', name: 'B구역', rows: 12, seatsPerRow: 12, price: 121_000, at: { x: -22, y: 11 }, rotate: 25 },
    { id: 'C', name: 'C구역', rows: 12, seatsPerRow: 12, price: 121_000, at: { x: 22, y: 11 }, rotate: -25 },
    { id: 'D', name: '2층', rows: 8, seatsPerRow: 44, price: 88_000, curve: 30, at: { x: 0, y: 30 } },
  ],
  standing: [],
};

export async function startSale() {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairline-pictures-'));
  const server = spawn(process.execPath, [join(root, 'dist/src/main.js'), 'start'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_TOKEN,
      DEMO: 'off',
      LOG_LEVEL: 'error',
      LIMIT_GUEST_JOIN_PER_IP: '0',
      LIMIT_JOIN_PER_VISITOR: '0',
      LIMIT_HOLD_PER_VISITOR: '0',
      LIMIT_PAYMENT_PER_VISITOR: '0',
      LIMIT_VWR_ASSIGN_PER_IP: '0',
      VWR_BATCH_SIZE: '1',
      VWR_CYCLE_MS: '60000',
      MAX_PER_PERSON: '20',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await listening(server);
  const { visitor, offer, operate } = await fill(url);
  return {
    url,
    /** Asks the operators' API: method, path below /api/admin, body. */
    operate,
    /** Guests who join the line of an event. */
    crowd: (eventId, count) => crowd(url, eventId, count),
    /** An open transfer. */
    offer,
    /** Cookies of a visitor with an account and a place in every line. */
    visitor,
    async stop() {
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function listening(server) {
  for await (const chunk of server.stdout) {
    const found = /\blisten\w* on (http\S+)/.exec(String(chunk));
    if (found !== null) return found[1];
  }
  throw new Error('server exited before it was listening');
}

async function fill(url) {
  const operate = async (method, path, body) => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${url}/api/admin/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };
  await operate('PUT', 'layouts/hall', LAYOUT);
  for (const [eventId, title] of [
    ['spring-night', EVENT.title],
    ['winter-tour', '겨울 투어 Winter Tour'],
  ]) {
    await operate('PUT', `events/${eventId}`, { ...EVENT, title });
    await operate('POST', `events/${eventId}/seats`, { layoutId: 'hall' });
    await operate('POST', `events/${eventId}/open`, {});
  }
  await operate('PUT', 'layouts/arena', ARENA);
  await operate('PUT', 'events/han-river', { ...EVENT, title: '한강의 밤', artist: '더 큐스', venue: '서울 콘서트홀' });
  await operate('POST', 'events/han-river/seats', { layoutId: 'arena' });
  await operate('POST', 'events/han-river/open', {});
  await operate('PUT', 'rooms/han-river', {
    maxActive: 30,
    admission: 'claim',
    claimTtlMs: 300_000,
    claimWindow: 1_000,
  });
  await operate('PUT', 'rooms/winter-tour', {
    maxActive: 40,
    message: { ko: '공연은 예정대로 저녁 7시에 시작합니다.', en: 'The show starts at seven, as planned.' },
  });
  await operate('PUT', 'rooms/summer-night', { state: 'paused' });
  await operate('PUT', 'rooms/small-club', { maxActive: 5, admission: 'claim', claimTtlMs: 3_600_000 });
  await operate('PUT', 'rooms/autumn-tour', { maxActive: 5 });
  await operate('POST', 'vwr/activate/autumn-tour', {});

  const visitor = new Guest(url);
  await crowd(url, 'winter-tour', 40 + 126);
  await crowd(url, 'summer-night', 57);
  for (let i = 0; i < 318; i += 1) await new Guest(url).send('POST', '/vwr/assign/autumn-tour');
  for (const eventId of ['winter-tour', 'summer-night']) await visitor.send('POST', `/api/queue/check/${eventId}`);
  await visitor.send('POST', '/vwr/assign/autumn-tour');
  await crowd(url, 'winter-tour', 74);
  await crowd(url, 'summer-night', 12);
  const offer = await buySome(url, 'spring-night');
  await visitor.send('POST', '/api/auth/register', { email: 'mina@example.org', password: 'correct horse' });
  await counted(() => operate('GET', '../stats/realtime'));
  return { visitor: { cookies: visitor.cookies(), origins: [] }, offer, operate };
}

async function crowd(url, eventId, count) {
  for (let i = 0; i < count; i += 1) await new Guest(url).send('POST', `/api/queue/check/${eventId}`);
}

/** Groups of one to four in all sections. Most pay, two offer their tickets, one cancels. */
async function buySome(url, eventId) {
  const paid = [];
  for (const [index, { id, rows, seatsPerRow }] of LAYOUT.sections.entries()) {
    for (let step = 0; step < rows * 1.5; step += 1) {
      const guest = new Guest(url);
      await guest.send('POST', `/api/queue/check/${eventId}`);
      const [row, first] = [1 + ((step * 7) % rows), 1 + ((step * step * 5 + index * 3) % (seatsPerRow - 4))];
      const seatIds = Array.from({ length: 1 + (step % 4) }, (_, number) => `${id}-${row}-${first + number}`);
      const held = await guest.send('POST', '/api/seats/reserve', { eventId, seatIds });
      if (held.reservationId === undefined || step % 3 === 2) continue;
      await guest.pay(held.reservationId);
      paid.push({ guest, ...held });
    }
  }
  const sellers = [paid[1], paid.at(-1)];
  const offers = [];
  for (const { guest, reservationId, amount } of sellers) {
    offers.push(await guest.send('POST', '/api/transfers', { reservationId, price: amount - 10_000 }));
  }
  const { guest, reservationId } = paid[4];
  await guest.send('POST', `/api/reservations/${reservationId}/cancel`);
  return offers[0].transferId;
}

/** Waits until the statistics have counted everything; traffic is recorded every few seconds. */
async function counted(read) {
  for (;;) {
    const { behind, thisHour } = await read();
    if (behind === 0 && thisHour.counts.joined > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A visitor with a cookie jar. */
class Guest {
  #url;
  #jar = new Map();

  constructor(url) {
    this.#url = url;
  }

  async send(method, path, body) {
    const cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0].split('=');
      this.#jar.set(name, value);
    }
    return response.json();
  }

  async pay(reservationId) {
    const { orderId, paymentKey, amount } = await this.send('POST', '/api/payments/prepare', { reservationId });
    await this.send('POST', '/api/payments/confirm', { orderId, paymentKey, amount, method: 'card-approve' });
  }

  cookies() {
    const { hostname: domain } = new URL(this.#url);
    const rest = { domain, path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' };
    return [...this.#jar].map(([name, value]) => ({ name, value, ...rest }));
  }
}
