/** The event as the API shows it, and the fields that operators can set. */
import { type Static, Type } from 'typebox';
import { type EventPhase, eventPhases } from '../rules/event-phase.ts';

const text = (maxLength: number) => Type.String({ maxLength });

const fields = {
  title: Type.String({ minLength: 1, maxLength: 200 }),
  artist: text(200),
  venue: text(200),
  description: text(4_000),
  imageUrl: Type.Union([
    Type.String({
      pattern: '^(https://|/(?!/))[^\\s]{0,500}$',
      description: 'an https URL, or a path on this site',
    }),
    Type.Null(),
  ]),
  startsAt: Type.String({ format: 'date-time' }),
  onSaleAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'when the public sale begins, not after startsAt; null: as soon as the event is open',
  }),
  salesEndAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'when the sale ends, after onSaleAt; null: when the event starts',
  }),
  timeZone: Type.String({
    maxLength: 64,
    description: 'IANA name of the time zone of the venue, in which pages show the times, such as Asia/Seoul',
  }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'three capital letters (ISO 4217)' }),
  maxPerPerson: Type.Integer({ minimum: 1, maximum: 20 }),
};

export const EventBody = Type.Partial(Type.Object(fields), { additionalProperties: false });

export const EventAnswer = Type.Object(
  {
    eventId: Type.String(),
    ...fields,
    state: Type.Union([Type.Literal('draft'), Type.Literal('open'), Type.Literal('cancelled')]),
    phase: Type.Unsafe<EventPhase>({
      type: 'string',
      enum: [...eventPhases],
      description:
        'what can be done with the event now: announced (no sale yet), presale (for members), on-sale, paused (nobody is admitted), sold-out (all tickets are sold or held), ended (the sale is over), cancelled',
    }),
    waitingList: Type.Boolean({ description: 'whether returned tickets go to those who wait in its line, in order' }),
    refundUntil: Type.String({ description: 'until when buyers can cancel with a full refund' }),
    membersFrom: Type.Union([Type.String(), Type.Null()], { description: 'when the presale for members begins' }),
    prices: Type.Union([Type.Object({ low: Type.Integer(), high: Type.Integer() }), Type.Null()], {
      description: 'of the cheapest and the most expensive ticket',
    }),
    sections: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), price: Type.Integer() }), {
      description: 'of the seats, with the price of each',
    }),
    seats: Type.Object({ total: Type.Integer(), remaining: Type.Integer() }),
    standing: Type.Array(
      Type.Object({
        typeId: Type.String(),
        name: Type.String(),
        price: Type.Integer(),
        total: Type.Integer(),
        remaining: Type.Integer(),
      }),
    ),
  },
  { title: 'Event' },
);
export type EventAnswer = Static<typeof EventAnswer>;
