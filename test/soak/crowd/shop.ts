/** A buyer: holds seats, pays in the sandbox in one of its ways, sometimes too late, sometimes cancels. */
import { randomUUID } from 'node:crypto';
import type { ShopAsked } from '../history.ts';
import type { Reply, Send } from './browser.ts';
import { claimsOf } from './said.ts';
import { codeOf, type Visitor } from './visitor.ts';

const METHODS = [
  'card-approve',
  'card-approve',
  'card-approve',
  'card-decline',
  'card-timeout',
  'card-late',
  'card-twice',
];
const MOST_TRIES = 12;
/** Longer than a hold without payment lasts. */
const LATE_MS = 7_000;

/** True if the purchase ended the admission. */
export async function buy(visitor: Visitor): Promise<boolean> {
  const held = await hold(visitor);
  if (held === undefined) return false;
  if (visitor.chance.happens(0.15)) return false;
  if (visitor.chance.happens(0.12)) await visitor.rest(LATE_MS);
  const { reservationId } = held;
  const prepared = await retry(visitor, () =>
    askShop(
      visitor,
      'prepare',
      { method: 'POST', path: '/api/payments/prepare', body: { reservationId } },
      { reservationId },
    ),
  );
  if (prepared?.status !== 200) return false;
  const { orderId, paymentKey, amount } = prepared.body;
  const method = visitor.chance.pick(METHODS);
  const confirmed = await retry(visitor, () =>
    askShop(
      visitor,
      'confirm',
      { method: 'POST', path: '/api/payments/confirm', body: { orderId, paymentKey, amount, method } },
      { reservationId, orderId, amount, method },
    ),
  );
  if (confirmed?.status !== 200) return false;
  if (visitor.chance.happens(0.15)) await cancel(visitor, reservationId);
  return true;
}

interface Held {
  reservationId: string;
}

async function hold(visitor: Visitor): Promise<Held | undefined> {
  const { eventId, entryToken, chance } = visitor;
  if (entryToken === undefined) return undefined;
  const isCheating = chance.happens(0.05);
  const token = isCheating ? forge(entryToken) : entryToken;
  const tokenId = isCheating ? 'forged' : claimsOf(entryToken)?.jti;
  const key = randomUUID();
  const wanted = chance.happens(0.3)
    ? { seatIds: [`A-${chance.between(1, 4)}-${chance.between(1, 10)}`] }
    : { best: { count: chance.between(1, 2) } };
  const send: Send = {
    method: 'POST',
    path: '/api/seats/reserve',
    body: { eventId, ...wanted },
    headers: { 'x-queue-entry-token': token, 'idempotency-key': key },
  };
  const fields = { key, ...(tokenId === undefined ? {} : { tokenId }) };
  const reply = await retry(visitor, () => askShop(visitor, 'hold', send, fields));
  if (reply === undefined || reply.status >= 300) return undefined;
  // The same key again: the same hold.
  if (chance.happens(0.1)) await askShop(visitor, 'hold', send, fields);
  return { reservationId: reply.body.reservationId };
}

async function cancel(visitor: Visitor, reservationId: string): Promise<void> {
  const path = `/api/reservations/${reservationId}/cancel`;
  await retry(visitor, () => askShop(visitor, 'cancel', { method: 'POST', path }, { reservationId }));
}

/** Again after a lost reply, while the database is away, and while the payment is under way. */
async function retry(visitor: Visitor, send: () => Promise<Reply>): Promise<Reply | undefined> {
  let reply: Reply | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    reply = await send();
    const isPending = reply.status === 202 || codeOf(reply.body) === 'PAYMENT_IN_PROGRESS';
    if (reply.status !== 0 && reply.status !== 503 && !isPending) return reply;
    await visitor.pauseAfter(reply);
    if (visitor.isClosing) return reply;
  }
  return reply;
}

async function askShop(
  visitor: Visitor,
  action: ShopAsked['action'],
  send: Send,
  fields: Partial<ShopAsked>,
): Promise<Reply> {
  const program = visitor.chance.pick(visitor.context.shops);
  const reply = await visitor.browser.send(send, program);
  const { reservationId, seats, amount, holdEndsAt, orderId } = reply.status < 300 ? reply.body : {};
  const code = codeOf(reply.body);
  visitor.context.recorder.add({
    kind: 'shop',
    at: reply.at,
    until: reply.until,
    visitor: visitor.name,
    eventId: visitor.eventId,
    process: reply.process,
    action,
    status: reply.status,
    ...fields,
    ...(code === undefined ? {} : { code }),
    ...(reply.retryAfter === undefined ? {} : { retryAfter: reply.retryAfter }),
    ...(reservationId === undefined ? {} : { reservationId }),
    ...(Array.isArray(seats) ? { seats: seats.map(({ seatId }: { seatId: string }) => seatId) } : {}),
    ...(amount === undefined ? {} : { amount }),
    ...(orderId === undefined ? {} : { orderId }),
    ...(holdEndsAt === undefined ? {} : { holdEndsAt: Date.parse(holdEndsAt) }),
  });
  return reply;
}

/** The same token with another signature. */
function forge(token: string): string {
  const [header, claims] = token.split('.');
  return `${header}.${claims}.${'A'.repeat(43)}`;
}
