/** Buying as a page does it: the best seats there are, held, prepared, paid with the sandbox's card. */
import { randomUUID } from 'node:crypto';
import type { VisitorRun } from './visitor-run.ts';

/** What a buyer is told where others were sooner. */
const GONE = ['SOLD_OUT', 'SEATS_TAKEN'];

/** Resolves to how many were bought. */
export async function buyBestSeats(run: VisitorRun, count: number): Promise<number> {
  const { eventId } = run.options;
  const { entryToken } = run;
  if (entryToken === undefined) return run.fail('a visitor who was let in has no entry token');
  const headers = { 'x-queue-entry-token': entryToken, 'idempotency-key': randomUUID() };
  const held = await run.ask('POST', '/api/seats/reserve', {
    headers,
    body: { eventId, best: { count } },
    refusals: GONE,
  });
  if (held.isRefused) return 0;
  const { reservationId } = held.body;
  const prepared = await run.ask('POST', '/api/payments/prepare', { body: { reservationId } });
  const { orderId, paymentKey, amount } = prepared.body;
  // With the purchase the slot goes to the next.
  run.noteLeaving();
  await run.ask('POST', '/api/payments/confirm', { body: { orderId, paymentKey, amount } });
  return count;
}
