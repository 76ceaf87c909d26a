/** Reservations: hold standing tickets, list, cancel. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Identity } from '../../identity/identity.ts';
import { requireVisitor } from '../../identity/require-visitor.ts';
import type { Reservation } from '../hold-store.ts';
import type { Tickets } from '../tickets.ts';
import { type HoldingOptions, holdErrors, IdempotencyHeaders, keyOf, requireBuyer, toHeld } from './holding.ts';
import { ReservationAnswer } from './reservation-answer.ts';
import { toReservationAnswer, withTicket } from './to-reservation-answer.ts';

export interface ReservationRoutesOptions extends HoldingOptions {
  identity: Identity;
  tickets: Tickets;
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
const ReservationParams = Type.Object({
  reservationId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: '1 to 64 letters, digits, _ or -' }),
});

export const reservationRoutes: FastifyPluginAsyncTypebox<ReservationRoutesOptions> = async (app, options) => {
  const { holds, identity, tickets, cancel, metrics, now } = options;
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
    async (request) => {
      const reservation = await getOwn(request, request.params.reservationId);
      return withTicket(toReservationAnswer(reservation, now()), reservation.ticketNo, tickets);
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
      await cancel(await getOwn(request, reservationId));
      return toReservationAnswer(await getOwn(request, reservationId), now());
    },
  );

  /** A reservation of another visitor is reported as not found. */
  async function getOwn(request: FastifyRequest, reservationId: string): Promise<Reservation> {
    const visitor = requireVisitor(request, identity);
    const reservation = await holds.find(reservationId);
    if (reservation?.visitor !== visitor.id) throw new AppError('RESERVATION_NOT_FOUND');
    return reservation;
  }
};

function refuseTwice(names: string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return;
  const message = `tickets has the type ${twice} twice; send one quantity per type`;
  throw new AppError('INVALID_INPUT', { message, fields: [{ field: 'tickets', message }] });
}
