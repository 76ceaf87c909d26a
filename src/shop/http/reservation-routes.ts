/** Reservations: hold standing tickets, list, prolong, cancel. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Identity } from '../../identity/identity.ts';
import { requireVisitor } from '../../identity/require-visitor.ts';
import type { BookingStore } from '../booking-store.ts';
import type { Reservation } from '../hold-store.ts';
import type { Tickets } from '../tickets.ts';
import { type HoldingOptions, holdErrors, IdempotencyHeaders, keyOf, requireBuyer, toHeld } from './holding.ts';
import { getOwn, ReservationParams } from './own-reservation.ts';
import { ReservationAnswer } from './reservation-answer.ts';
import { toReservationAnswer, toTicketAnswer } from './to-reservation-answer.ts';

export interface ReservationRoutesOptions extends HoldingOptions {
  identity: Identity;
  tickets: Tickets;
  bookings: Pick<BookingStore, 'codeOf' | 'findBuyer'>;
  /** Until when reservations of the event can be cancelled for a full refund. */
  refundUntil: (eventId: string) => Promise<number | undefined>;
  /** Cancels a reservation and refunds it if it is paid; throws after the refund deadline. */
  cancel: (reservation: Reservation) => Promise<void>;
}

const TicketsBody = Type.Object(
  {
    eventId: EventParams.properties.eventId,
    tickets: Type.Array(
      Type.Object(
        {
          typeId: Type.String({ pattern: '^[A-Za-z0-9_]{1,16}$', description: 'the id of a ticket type' }),
          quantity: Type.Integer({ minimum: 1, maximum: 20 }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 20 },
    ),
  },
  { additionalProperties: false },
);
export const reservationRoutes: FastifyPluginAsyncTypebox<ReservationRoutesOptions> = async (app, options) => {
  const { holds, identity, cancel, metrics, now } = options;
  const schema = { tags: ['shop: reservations'] };

  app.post(
    '/reservations',
    {
      schema: {
        ...schema,
        operationId: 'holdTickets',
        security: [{ admitted: [] }],
        errors: [...holdErrors],
        summary: 'Hold standing tickets, all or none',
        headers: IdempotencyHeaders,
        body: TicketsBody,
        response: { 200: ReservationAnswer, 201: ReservationAnswer },
      },
    },
    async (request, reply) => {
      const { eventId, tickets: asked } = request.body;
      refuseTwice(asked.map(({ typeId }) => typeId));
      const buyer = await requireBuyer(eventId, request, options);
      const idempotencyKey = keyOf(request);
      const outcome = await holds.holdTickets({ eventId, ...buyer, idempotencyKey, tickets: asked });
      metrics.countHold(outcome.outcome);
      const answer = toReservationAnswer(toHeld(outcome), now());
      return reply.code(outcome.outcome === 'held' ? 201 : 200).send(answer);
    },
  );

  app.get(
    '/reservations/my',
    {
      schema: {
        ...schema,
        operationId: 'listMyReservations',
        security: [{ visitor: [] }],
        summary: 'Your reservations, newest first',
        response: { 200: Type.Array(ReservationAnswer) },
      },
    },
    async (request) => {
      const found = await holds.listOf(requireVisitor(request, identity).id);
      return found.map((reservation) => toReservationAnswer(reservation, now()));
    },
  );

  app.get(
    '/reservations/:reservationId',
    {
      schema: {
        ...schema,
        operationId: 'getReservation',
        security: [{ visitor: [] }],
        errors: ['RESERVATION_NOT_FOUND'],
        summary: 'One of your reservations, with its ticket once it is paid',
        params: ReservationParams,
        response: { 200: ReservationAnswer },
      },
    },
    async (request) => toWholeAnswer(await getOwn(request, request.params.reservationId, options), options),
  );

  app.post(
    '/reservations/:reservationId/extend',
    {
      schema: {
        ...schema,
        operationId: 'extendHold',
        security: [{ visitor: [] }],
        errors: ['RESERVATION_NOT_FOUND', 'HOLD_ENDED'],
        summary: 'Prolong a hold, once, within HOLD_EXTENSION_SECONDS. A repeated request changes nothing',
        params: ReservationParams,
        response: { 200: ReservationAnswer },
      },
    },
    async (request) => {
      const { reservationId } = request.params;
      const outcome = await holds.extend(reservationId, requireVisitor(request, identity).id);
      if (outcome === 'unknown') throw new AppError('RESERVATION_NOT_FOUND');
      if (outcome === 'ended')
        throw new AppError('HOLD_ENDED', { message: 'Only a hold that lasts can be prolonged.' });
      return toReservationAnswer(await getOwn(request, reservationId, options), now());
    },
  );

  app.post(
    '/reservations/:reservationId/cancel',
    {
      schema: {
        ...schema,
        operationId: 'cancelReservation',
        security: [{ visitor: [] }],
        errors: ['RESERVATION_NOT_FOUND', 'NOT_CANCELLABLE', 'PAYMENT_IN_PROGRESS'],
        summary: 'Cancel a reservation, with a full refund until the refund deadline',
        params: ReservationParams,
        response: { 200: ReservationAnswer },
      },
    },
    async (request) => {
      const { reservationId } = request.params;
      await cancel(await getOwn(request, reservationId, options));
      return toReservationAnswer(await getOwn(request, reservationId, options), now());
    },
  );
};

/** With everything that its owner may see. */
async function toWholeAnswer(
  reservation: Reservation,
  { tickets, bookings, refundUntil, now }: ReservationRoutesOptions,
): Promise<ReservationAnswer> {
  const { reservationId, eventId, state } = reservation;
  const answer = toReservationAnswer(reservation, now());
  const [buyer, until] = await Promise.all([bookings.findBuyer(reservationId), refundUntil(eventId)]);
  if (buyer !== undefined) answer.buyer = buyer;
  if (until !== undefined) answer.refundUntil = new Date(until).toISOString();
  if (state !== 'confirmed') return answer;
  return {
    ...answer,
    bookingCode: await bookings.codeOf(reservationId),
    ticket: toTicketAnswer(reservation, tickets),
  };
}

function refuseTwice(names: string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return;
  const message = `tickets has the type ${twice} twice; send one quantity per type`;
  throw new AppError('INVALID_INPUT', { message, fields: [{ field: 'tickets', message }] });
}
