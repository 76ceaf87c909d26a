/** Operator endpoints for statistics. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../../identity/operators.ts';
import { toConversion } from '../conversion.ts';
import type { StatsStore } from '../stats-store.ts';
import * as answers from './stats-answer.ts';

export interface StatsRoutesOptions {
  stats: StatsStore;
  operators: Operators;
  /** The number of records not counted yet. */
  countBehind: () => Promise<number>;
  now: () => number;
}

const Day = Type.String({
  pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
  description: 'a day, such as 2027-03-01',
});
const SpanQuery = Type.Object({ from: Type.Optional(Day), to: Type.Optional(Day) }, { additionalProperties: false });
const EventSpanQuery = Type.Object(
  { ...SpanQuery.properties, eventId: Type.Optional(EventParams.properties.eventId) },
  { additionalProperties: false },
);

const HOUR_MS = 3_600_000;
const HOURS_SHOWN = 24;

export const statsRoutes: FastifyPluginAsyncTypebox<StatsRoutesOptions> = async (app, options) => {
  const { stats, operators, countBehind, now } = options;
  const schema = { tags: ['operators: statistics'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    await operators.require(request);
  });
  const since = (hours: number) => new Date((Math.floor(now() / HOUR_MS) - hours + 1) * HOUR_MS);

  app.get(
    '/stats/overview',
    {
      schema: {
        ...schema,
        operationId: 'getStatsOverview',
        summary: 'Totals',
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
      schema: {
        ...schema,
        operationId: 'listDailyStats',
        summary: 'By day',
        querystring: EventSpanQuery,
        response: { 200: answers.DaysAnswer },
      },
    },
    ({ query }) => stats.listDays(query),
  );

  app.get(
    '/stats/events',
    {
      schema: {
        ...schema,
        operationId: 'listEventStats',
        summary: 'By event',
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
        operationId: 'getEventStats',
        summary: 'One event: totals, by day, and the last 24 hours',
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
        operationId: 'getRevenue',
        summary: 'Revenue: totals and by day',
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
        operationId: 'getRealtimeStats',
        summary: 'This hour, the last 24 hours, and the number of records not counted yet',
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
        operationId: 'getConversion',
        summary: 'Conversion from joining the line to a paid ticket',
        querystring: EventSpanQuery,
        response: { 200: answers.ConversionAnswer },
      },
    },
    async ({ query }) => toConversion((await stats.total(query)).counts),
  );
};
