/** Buys as a page does: holds the best seats, prepares the payment, confirms it with the sandbox card. */
import { randomUUID } from 'node:crypto';
import type { VisitorRun } from './visitor-run.ts';

/** Other buyers were faster. */
const GONE = ['SOLD_OUT', 'SEATS_TAKEN'];

/** Resolves to the number of seats bought. */
export async function buyBestSeats(run: VisitorRun, count: number): Promise<number> {
  const { eventId } = run.options;
  const { entryToken } = run;
  if (entryToken === undefined) return run.fail('admitted without an entry token');
  const headers = { 'x-queue-entry-token': entryToken, 'idempotency-key': randomUUID() };
  const held = await run.send('POST', '/api/seats/reserve', {
    headers,
    body: { eventId, best: { count } },
    refusals: GONE,
  });
  if (held.isRefused) return 0;
  const { reservationId } = held.body;
  const prepared = await run.send('POST', '/api/payments/prepare', { body: { reservationId } });
  const { orderId, paymentKey, amount } = prepared.body;
  // The purchase frees the slot.
  run.noteLeaving();
  await run.send('POST', '/api/payments/confirm', { body: { orderId, paymentKey, amount } });
  return count;
}
