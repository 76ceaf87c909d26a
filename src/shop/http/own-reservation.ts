/** Finds a reservation for the visitor who sent the request. */
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { Identity } from '../../identity/identity.ts';
import { requireVisitor } from '../../identity/require-visitor.ts';
import type { HoldStore, Reservation } from '../hold-store.ts';

export const ReservationParams = Type.Object({
  reservationId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: '1 to 64 letters, digits, _ or -' }),
});

export interface OwnReservationOptions {
  holds: Pick<HoldStore, 'find'>;
  identity: Identity;
}

/** A reservation of another visitor is reported as not found. */
export async function getOwn(
  request: FastifyRequest,
  reservationId: string,
  { holds, identity }: OwnReservationOptions,
): Promise<Reservation> {
  const visitor = requireVisitor(request, identity);
  const reservation = await holds.find(reservationId);
  if (reservation?.visitor !== visitor.id) throw new AppError('RESERVATION_NOT_FOUND');
  return reservation;
}
