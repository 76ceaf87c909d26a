/** The buyer of a reservation: stored by the visitor who holds it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AppError } from '../../http/errors.ts';
import { normaliseEmail } from '../../platform/email.ts';
import type { BookingStore } from '../booking-store.ts';
import { BuyerAnswer, BuyerBody } from './buyer-answer.ts';
import { getOwn, type OwnReservationOptions, ReservationParams } from './own-reservation.ts';

export interface BuyerRoutesOptions extends OwnReservationOptions {
  bookings: Pick<BookingStore, 'putBuyer'>;
}

export const buyerRoutes: FastifyPluginAsyncTypebox<BuyerRoutesOptions> = async (app, options) => {
  app.put(
    '/reservations/:reservationId/buyer',
    {
      schema: {
        tags: ['shop: reservations'],
        operationId: 'putBuyer',
        security: [{ visitor: [] }],
        errors: ['RESERVATION_NOT_FOUND', 'HOLD_ENDED'],
        summary: 'Say who buys: name, email and phone, for the time of the reservation',
        params: ReservationParams,
        body: BuyerBody,
        response: { 200: BuyerAnswer },
      },
    },
    async (request) => {
      const { reservationId } = await getOwn(request, request.params.reservationId, options);
      const buyer = {
        name: request.body.name.trim().normalize('NFC'),
        email: requireEmail(request.body.email),
        phone: request.body.phone.trim(),
      };
      const outcome = await options.bookings.putBuyer(reservationId, buyer);
      if (outcome === 'over') throw new AppError('HOLD_ENDED');
      return buyer;
    },
  );
};

/** The message does not repeat the address: error messages are logged. */
function requireEmail(text: string): string {
  const email = normaliseEmail(text);
  if (email !== undefined) return email;
  const message = 'email must be an address like mina@example.org';
  throw new AppError('INVALID_INPUT', { message, fields: [{ field: 'email', message }] });
}
