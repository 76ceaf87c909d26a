/** Shared by both kinds of holds: who may hold, how often, and the errors. */
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { checkEntry, type EntryCheck, type EntryCheckOptions } from '../../gate/lookups/check-entry.ts';
import { AppError, type ErrorCode } from '../../http/errors.ts';
import type { RateLimit } from '../../platform/rate-limit.ts';
import type { HoldOutcome, HoldStore, Reservation } from '../hold-store.ts';
import type { SeatLock } from '../seat-lock.ts';
import type { ShopMetrics } from '../shop-metrics.ts';
import { toLimitError } from './over-limit.ts';

export interface BuyerOptions extends EntryCheckOptions {
  holdsPerVisitor: RateLimit;
}

export interface HoldingOptions extends BuyerOptions {
  holds: HoldStore;
  seatLock: SeatLock;
  metrics: ShopMetrics;
  now: () => number;
}

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,128}$',
      description:
        '1 to 128 printable characters without spaces; a repeated request with the same key returns the same hold',
    }),
  ),
});

/** Refusals of a hold. */
export const holdErrors: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'IDEMPOTENCY_KEY_REUSED',
  'SHOP_EVENT_NOT_FOUND',
  'SEATS_NOT_FOUND',
  'EVENT_CANCELLED',
  'SALES_ENDED',
  'NOT_ON_SALE_YET',
  'LIMIT_PER_PERSON',
  'SOLD_OUT',
];

export function keyOf(request: FastifyRequest): string | undefined {
  return request.headers['idempotency-key'] as string | undefined;
}

/** The purchase ends this admission. */
export interface Buyer {
  visitor: string;
  admission: string;
}

/** Requires an admitted visitor within the rate limit. */
export async function requireBuyer(eventId: string, request: FastifyRequest, options: BuyerOptions): Promise<Buyer> {
  const found = await findBuyer(eventId, request, options);
  if (found.outcome === 'refused') throw new AppError(found.code, { redirectTo: found.redirectTo });
  return { visitor: found.visitor, admission: found.admission };
}

/** The admitted visitor who sent the request; throws if they try too often. */
export async function findBuyer(
  eventId: string,
  request: FastifyRequest,
  options: BuyerOptions,
): Promise<({ outcome: 'admitted' } & Buyer) | Extract<EntryCheck, { outcome: 'refused' }>> {
  const checked = await checkEntry(eventId, request, options);
  if (checked.outcome === 'refused') return checked;
  const { visitor, tokenId } = checked.entry;
  const seconds = options.holdsPerVisitor.secondsToWait(visitor);
  if (seconds > 0) {
    throw new AppError('RATE_LIMITED', {
      message: `Too many attempts. Try again in ${seconds} seconds.`,
      retryAfterSeconds: seconds,
    });
  }
  options.holdsPerVisitor.count(visitor);
  return { outcome: 'admitted', visitor, admission: tokenId };
}

export function toHeld(outcome: HoldOutcome): Reservation {
  switch (outcome.outcome) {
    case 'held':
    case 'repeated':
      return outcome.reservation;
    case 'key-reused':
      throw new AppError('IDEMPOTENCY_KEY_REUSED');
    case 'no-event':
      throw new AppError('SHOP_EVENT_NOT_FOUND');
    case 'not-on-sale':
      throw toOverError(outcome.because);
    case 'none-together':
      throw new AppError('SOLD_OUT', { message: 'Not enough adjacent seats left. Nothing was held.' });
    case 'too-early': {
      const { onSaleAt, membersFrom } = outcome;
      const message = `The sale begins at ${onSaleAt}, for members at ${membersFrom}. Nothing was held.`;
      throw new AppError('NOT_ON_SALE_YET', { message });
    }
    case 'over-limit':
      throw toLimitError(outcome);
    case 'taken':
      throw new AppError('SEATS_TAKEN', { fields: toProblems('seatIds', outcome.seats, 'is taken') });
    case 'sold-out':
      throw new AppError('SOLD_OUT', {
        fields: toProblems('tickets', outcome.types, 'does not have enough tickets left'),
      });
    case 'unknown': {
      const [field, names] = 'seats' in outcome ? ['seatIds', outcome.seats] : ['tickets', outcome.types];
      throw new AppError('SEATS_NOT_FOUND', { fields: toProblems(field, names, 'does not exist at this event') });
    }
  }
}

export function toOverError(over: 'ended' | 'cancelled'): AppError {
  return new AppError(over === 'cancelled' ? 'EVENT_CANCELLED' : 'SALES_ENDED');
}

function toProblems(field: string, names: string[], problem: string) {
  return names.map((name) => ({ field, message: `${name} ${problem}` }));
}
