/** The operators' door to the statistics. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../../identity/operators.ts';
import { toConversion } from '../conversion.ts';
import type { StatsStore } from '../stats-store.ts';
import * as answers from './stats-answer.ts';

export interface StatsDoorOptions {
  stats: StatsStore;
  operators: Operators;
  /** How many records are not counted yet. */
  countBehind: () => Promise<number>;
  now: () => number;
}

const Day = Type.String({
  pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
  description: 'a day, as 2027-03-01',
});
const SpanQuery = Type.Object({ from: Type.Optional(Day), to: Type.Optional(Day) }, { additionalProperties: false });
const EventSpanQuery = Type.Object(
  { ...SpanQuery.properties, eventId: Type.Optional(EventParams.properties.eventId) },
  { additionalProperties: false },
);

const HOUR_MS = 3_600_000;
const HOURS_SHOWN = 24;

export const statsRoutes: FastifyPluginAsyncTypebox<StatsDoorOptions> = async (app, options) => {
  const { stats, operators, countBehind, now } = options;
  const schema = { tags: ['operators: statistics'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    operators.require(request);
  });
  const since = (hours: number) => new Date((Math.floor(now() / HOUR_MS) - hours + 1) * HOUR_MS);

  app.get(
    '/stats/overview',
    {
      schema: {
        ...schema,
        summary: 'Everything, added up',
        querystring: SpanQuery,
        response: { 200: answers.OverviewAnswer },
      },
    },
    async ({ query }) => {
      const total = await stats.total(query);
      return { ...total, conversion: toConversion(total.counts) };
    },
  );

  app.get(
    '/stats/daily',
    {
      schema: { ...schema, summary: 'Day by day', querystring: EventSpanQuery, response: { 200: answers.DaysAnswer } },
    },
    ({ query }) => stats.listDays(query),
  );

  app.get(
    '/stats/events',
    {
      schema: {
        ...schema,
        summary: 'Event by event',
        querystring: SpanQuery,
        response: { 200: answers.EventsAnswer },
      },
    },
    ({ query }) => stats.listEvents(query),
  );

  app.get(
    '/stats/events/:eventId',
    {
      schema: {
        ...schema,
        summary: 'One event: in all, by day, and the last hours',
        params: EventParams,
        response: { 200: answers.EventStatsAnswer },
      },
    },
    async ({ params: { eventId } }) => {
      const [total, daily, hourly] = await Promise.all([
        stats.total({ eventId }),
        stats.listDays({ eventId }),
        stats.listHours({ eventId, since: since(HOURS_SHOWN) }),
      ]);
      return { eventId, ...total, conversion: toConversion(total.counts), daily, hourly };
    },
  );

  app.get(
    '/stats/revenue',
    {
      schema: {
        ...schema,
        summary: 'Money, in all and day by day',
        querystring: EventSpanQuery,
        response: { 200: answers.RevenueAnswer },
      },
    },
    async ({ query }) => {
      const [total, days] = await Promise.all([stats.total(query), stats.listDays(query)]);
      const daily = days.filter((day) => day.money.length > 0).map((day) => ({ day: day.day, money: day.money }));
      return { total: total.money, daily };
    },
  );

  app.get(
    '/stats/realtime',
    {
      schema: {
        ...schema,
        summary: 'This hour, the last hours, and how many records are not counted yet',
        response: { 200: answers.RealtimeAnswer },
      },
    },
    async () => {
      const [thisHour, hourly, behind] = await Promise.all([
        stats.total({ since: since(1) }),
        stats.listHours({ since: since(HOURS_SHOWN) }),
        countBehind(),
      ]);
      return { thisHour, hourly, behind };
    },
  );

  app.get(
    '/stats/conversion',
    {
      schema: {
        ...schema,
        summary: 'From the line to the ticket: how many went on at each step',
        querystring: EventSpanQuery,
        response: { 200: answers.ConversionAnswer },
      },
    },
    async ({ query }) => toConversion((await stats.total(query)).counts),
  );
};
