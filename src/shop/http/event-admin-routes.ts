/** Operator endpoints for events: create, change, generate seats, open, cancel. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError, type ErrorCode } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { FieldProblem, ProblemRule } from '../../http/field-problem.ts';
import type { Operators } from '../../identity/operators.ts';
import type { Rooms } from '../../line/store/rooms.ts';
import type { EventChange, EventStore, MoveEventOutcome, ShopEvent } from '../event-store.ts';
import { LayoutBody, problemsOf } from '../rules/layout.ts';
import { followSale } from '../rules/room-hours.ts';
import { isTimeZone } from '../rules/time-zone.ts';
import { EventAnswer, EventBody } from './event-answer.ts';
import { getEvent } from './event-routes.ts';
import type { EventAnswers } from './to-event-answer.ts';

export interface EventAdminOptions {
  events: EventStore;
  answers: EventAnswers;
  operators: Operators;
  /** Creating an event creates its room. */
  rooms: Pick<Rooms, 'findRoom' | 'putRoom'>;
  /** Tells the room at once what is left. */
  projectStock: (eventId: string) => Promise<void>;
}

const LayoutParams = Type.Object({ layoutId: EventParams.properties.eventId });

export const eventAdminRoutes: FastifyPluginAsyncTypebox<EventAdminOptions> = async (app, options) => {
  const { events, answers, operators, rooms, projectStock } = options;
  const schema = { tags: ['operators: shop'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request) => operators.require(request));

  const audit = (request: FastifyRequest, action: string, eventId: string, details: Record<string, unknown> = {}) =>
    operators.audit(request, { action, eventId, details });

  app.get(
    '/admin/events/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'getAnyEvent',
        errors: ['SHOP_EVENT_NOT_FOUND'],
        summary: 'One event, including drafts',
        params: EventParams,
        response: { 200: EventAnswer },
      },
    },
    async (request) => answers.one(await getEvent(events, request.params.eventId)),
  );

  app.put(
    '/admin/events/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'putEvent',
        errors: ['EVENT_ON_SALE'],
        summary: 'Create an event and its room, or change some of its fields',
        params: EventParams,
        body: EventBody,
        response: { 200: EventAnswer, 201: EventAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      refuseTimeZone(request.body.timeZone);
      const before = await events.findEvent(eventId);
      const outcome = await events.putEvent(eventId, request.body as EventChange);
      if (outcome.outcome === 'fixed')
        throw new AppError('EVENT_ON_SALE', {
          fields: toProblems(outcome.fields, 'cannot be changed once the event is open', 'fixed'),
        });
      if (outcome.outcome === 'missing') {
        const problems = toProblems(outcome.fields, 'is required', 'required');
        throw new AppError('INVALID_INPUT', { fields: problems, message: problems.map((p) => p.message).join('; ') });
      }
      if (outcome.outcome === 'on-sale-too-late') {
        const message = `onSaleAt must not be after startsAt (${outcome.startsAt})`;
        throw new AppError('INVALID_INPUT', {
          fields: [{ field: 'onSaleAt', message, rule: 'notAfter', limit: 'startsAt' }],
          message,
        });
      }
      if (outcome.outcome === 'sale-ends-too-early') {
        const message = `salesEndAt must be after onSaleAt (${outcome.onSaleAt})`;
        throw new AppError('INVALID_INPUT', {
          fields: [{ field: 'salesEndAt', message, rule: 'after', limit: 'onSaleAt' }],
          message,
        });
      }
      await followEvent(rooms, outcome.event, before);
      await audit(request, `${outcome.outcome === 'created' ? 'create' : 'change'} event`, eventId, {
        change: request.body,
      });
      return reply.code(outcome.outcome === 'created' ? 201 : 200).send(await answers.one(outcome.event));
    },
  );

  app.put(
    '/admin/layouts/:layoutId',
    {
      schema: {
        ...schema,
        operationId: 'putLayout',
        summary: 'Create or replace a seat layout',
        params: LayoutParams,
        body: LayoutBody,
        response: { 200: Type.Object({ layoutId: Type.String() }) },
      },
    },
    async (request) => {
      const { layoutId } = request.params;
      const problems = problemsOf(request.body);
      if (problems.length > 0) {
        throw new AppError('INVALID_INPUT', { fields: problems, message: problems.map((p) => p.message).join('; ') });
      }
      await events.putLayout(layoutId, request.body);
      await audit(request, 'put layout', layoutId);
      return { layoutId };
    },
  );

  app.post(
    '/admin/events/:eventId/seats',
    {
      schema: {
        ...schema,
        operationId: 'generateSeats',
        errors: ['SHOP_EVENT_NOT_FOUND', 'LAYOUT_NOT_FOUND', 'EVENT_ON_SALE'],
        summary: 'Generate the seats and standing tickets of a draft from a layout',
        params: EventParams,
        body: Type.Object({ layoutId: LayoutParams.properties.layoutId }, { additionalProperties: false }),
        response: { 200: EventAnswer },
      },
    },
    async (request) => {
      const { eventId } = request.params;
      const outcome = await events.generateSeats(eventId, request.body.layoutId);
      if (outcome.outcome === 'no-event') throw new AppError('SHOP_EVENT_NOT_FOUND');
      if (outcome.outcome === 'no-layout') throw new AppError('LAYOUT_NOT_FOUND');
      if (outcome.outcome === 'on-sale') throw new AppError('EVENT_ON_SALE');
      await audit(request, 'generate seats', eventId, { layoutId: request.body.layoutId });
      return answers.one(outcome.event);
    },
  );

  for (const [word, summary, move] of [
    ['open', 'Put an event on sale', (eventId: string) => events.openEvent(eventId)],
    ['cancel', 'Cancel an event: end its sale and refund all buyers', (eventId: string) => events.cancelEvent(eventId)],
  ] as const) {
    app.post(
      `/admin/events/:eventId/${word}`,
      {
        schema: {
          ...schema,
          operationId: `${word}Event`,
          errors: moveErrors,
          summary,
          params: EventParams,
          response: { 200: EventAnswer },
        },
      },
      async (request) => {
        const { eventId } = request.params;
        refuse(await move(eventId));
        // Its room learns at once that there is something to sell, or that the sale is over.
        await projectStock(eventId);
        await audit(request, `${word} event`, eventId);
        return answers.one(await getEvent(events, eventId));
      },
    );
  }
};

const moveErrors: ErrorCode[] = ['SHOP_EVENT_NOT_FOUND', 'EVENT_CANCELLED', 'NOTHING_TO_SELL'];

function refuse({ outcome }: MoveEventOutcome): void {
  if (outcome === 'no-event') throw new AppError('SHOP_EVENT_NOT_FOUND');
  if (outcome === 'cancelled') throw new AppError('EVENT_CANCELLED');
  if (outcome === 'nothing-to-sell') throw new AppError('NOTHING_TO_SELL');
}

/** A new room admits only as many as the tickets left can serve, so that nobody is admitted to a sale that is sold out. */
async function followEvent(
  rooms: EventAdminOptions['rooms'],
  event: ShopEvent,
  before: ShopEvent | undefined,
): Promise<void> {
  const room = await rooms.findRoom(event.eventId);
  const change = {
    ...(room === undefined && { followStock: true }),
    ...followSale(room?.overrides ?? {}, event, before),
  };
  if (room === undefined || Object.keys(change).length > 0) await rooms.putRoom(event.eventId, change);
}

/** The schema cannot know which zones there are. */
function refuseTimeZone(name: string | undefined): void {
  if (name === undefined || isTimeZone(name)) return;
  const message = `timeZone must be an IANA time zone such as Asia/Seoul, not ${JSON.stringify(name)}`;
  throw new AppError('INVALID_INPUT', { fields: [{ field: 'timeZone', message, rule: 'timeZone' }], message });
}

function toProblems(fields: string[], problem: string, rule: ProblemRule): FieldProblem[] {
  return fields.map((field) => ({ field, message: `${field} ${problem}`, rule }));
}
