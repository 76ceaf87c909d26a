/** A booking for operators who help its buyer: at the box office or on the telephone. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { Operators } from '../../identity/operators.ts';
import type { BookingStore } from '../booking-store.ts';
import type { HoldStore } from '../hold-store.ts';
import { readBookingCode } from '../rules/booking-code.ts';
import { ReservationAnswer } from './reservation-answer.ts';
import { toReservationAnswer } from './to-reservation-answer.ts';

export interface BookingAdminOptions {
  bookings: Pick<BookingStore, 'findByCode' | 'findBuyer'>;
  holds: Pick<HoldStore, 'find'>;
  operators: Operators;
  now: () => number;
}

export const bookingAdminRoutes: FastifyPluginAsyncTypebox<BookingAdminOptions> = async (app, options) => {
  const { bookings, holds, operators, now } = options;
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/bookings/:bookingCode',
    {
      schema: {
        tags: ['operators: shop'],
        security: [{ operator: [] }],
        operationId: 'getBooking',
        errors: ['TICKET_NOT_FOUND'],
        summary: 'A paid reservation and its buyer, by booking code; without the ticket',
        params: Type.Object({ bookingCode: Type.String({ maxLength: 40, description: 'such as FL-7K2M-94' }) }),
        response: { 200: ReservationAnswer },
      },
    },
    async (request) => {
      const code = readBookingCode(request.params.bookingCode);
      const booking = code === undefined ? undefined : await bookings.findByCode(code);
      const reservation = booking && (await holds.find(booking.reservationId));
      if (reservation === undefined) throw new AppError('TICKET_NOT_FOUND');
      const buyer = await bookings.findBuyer(reservation.reservationId);
      return { ...toReservationAnswer(reservation, now()), ...(buyer === undefined ? {} : { buyer }) };
    },
  );
};
