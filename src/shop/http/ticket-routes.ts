/**
 * Tickets for people without the buyer's session: one seat by a shared link, all of them by booking code and email. Both read
 * only. Secrets are in the body, never in a URL, because URLs are logged.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { addressKey, type RateLimit } from '../../platform/rate-limit.ts';
import type { EventStore } from '../event-store.ts';
import type { FindBooking } from '../find-booking.ts';
import type { HoldStore, Reservation } from '../hold-store.ts';
import { LONGEST_EMAIL } from '../rules/buyer-form.ts';
import type { Tickets } from '../tickets.ts';
import { TicketAnswer } from './ticket-answer.ts';
import { toEntryAnswers } from './to-reservation-answer.ts';

export interface TicketRoutesOptions {
  tickets: Tickets;
  holds: Pick<HoldStore, 'find'>;
  events: Pick<EventStore, 'findEvent'>;
  findBooking: FindBooking;
  sharedPerIp: RateLimit;
}

export const ticketRoutes: FastifyPluginAsyncTypebox<TicketRoutesOptions> = async (app, options) => {
  const { tickets, holds, findBooking, sharedPerIp } = options;
  const schema = {
    tags: ['shop: reservations'],
    security: [],
    errors: ['TICKET_NOT_FOUND', 'RATE_LIMITED'] as const,
    response: { 200: TicketAnswer },
  };

  app.post(
    '/tickets/shared',
    {
      schema: {
        ...schema,
        errors: [...schema.errors],
        operationId: 'getSharedTicket',
        summary: 'The ticket of one seat, by its code. Void after a transfer or a cancellation',
        body: Type.Object(
          { code: Type.String({ maxLength: 200, description: 'the code of one entry' }) },
          { additionalProperties: false },
        ),
      },
    },
    async (request) => {
      // A forged code costs no query.
      const named = tickets.read(request.body.code);
      if (named?.entry === undefined) throw new AppError('TICKET_NOT_FOUND');
      const key = addressKey(request.ip);
      refuseBusy(sharedPerIp.secondsToWait(key));
      sharedPerIp.count(key);
      const reservation = await holds.find(named.reservationId);
      const isCurrent = reservation?.state === 'confirmed' && reservation.ticketNo === named.ticketNo;
      if (!isCurrent) throw new AppError('TICKET_NOT_FOUND');
      const answer = await toTicketAnswer(reservation, options);
      return { ...answer, entries: answer.entries.filter(({ entry }) => entry === named.entry) };
    },
  );

  app.post(
    '/tickets/find',
    {
      schema: {
        ...schema,
        errors: [...schema.errors],
        operationId: 'findTicket',
        summary: 'Tickets by booking code and the buyer’s email. The same response for a wrong code and a wrong email',
        body: Type.Object(
          {
            bookingCode: Type.String({ minLength: 1, maxLength: 40, description: 'such as FL-7K2M-94' }),
            email: Type.String({ minLength: 1, maxLength: LONGEST_EMAIL }),
          },
          { additionalProperties: false },
        ),
      },
    },
    async (request) => {
      const found = await findBooking({ ...request.body, ip: request.ip });
      if (found.outcome === 'wait') throw tooMany(found.seconds);
      const reservation = found.outcome === 'found' ? await holds.find(found.reservationId) : undefined;
      if (reservation?.state !== 'confirmed') throw new AppError('TICKET_NOT_FOUND');
      return toTicketAnswer(reservation, options);
    },
  );
};

async function toTicketAnswer(
  reservation: Reservation,
  { tickets, events }: Pick<TicketRoutesOptions, 'tickets' | 'events'>,
): Promise<TicketAnswer> {
  const event = await events.findEvent(reservation.eventId);
  if (event === undefined) throw new AppError('TICKET_NOT_FOUND');
  const { eventId, title, venue, startsAt, timeZone } = event;
  return { event: { eventId, title, venue, startsAt, timeZone }, entries: toEntryAnswers(reservation, tickets) };
}

function refuseBusy(seconds: number): void {
  if (seconds > 0) throw tooMany(seconds);
}

function tooMany(seconds: number): AppError {
  const message = `Too many attempts. Try again in ${seconds} seconds.`;
  return new AppError('RATE_LIMITED', { message, retryAfterSeconds: seconds });
}
