/**
 * The endpoint behind the admin page: all rooms in one response, optionally with the recent history of one. The stores
 * are read at most twice per second for any number of operators; the cost grows with rooms, not with visitors.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { EventParams } from '../../http/event-params.ts';
import { type AddressCause, type AddressFinding, addressCauses } from '../../identity/address-watch.ts';
import type { Operators } from '../../identity/operators.ts';
import { RoomAnswer } from '../../line/http/room-answer.ts';
import type { Rooms } from '../../line/store/rooms.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CounterCache } from '../../tier1/counter-cache.ts';
import { type Alarm, alarmNames } from '../alarms.ts';
import { createCachedRead } from '../cached-read.ts';
import type { RoomHistory } from '../room-history.ts';
import type { Sample } from '../room-sample.ts';
import { toRoomSummary } from '../room-summary.ts';
import { type Span, spans } from '../spans.ts';
import { HealthSummary } from './health-answer.ts';

export interface OverviewOptions {
  rooms: Pick<Rooms, 'listRooms'>;
  /** Why the line's store cannot serve right now; undefined when it can. */
  findFault: () => string | undefined;
  /** Why visitors seem to share an address, as this process sees it. */
  listAddressFindings: () => readonly AddressFinding[];
  counters: CounterCache;
  roomHistory: RoomHistory;
  operators: Operators;
  tickMs: number;
  now: () => number;
  /** A monotonic clock. */
  stopwatch: Clock;
}

const FRESH_MS = 500;

const Seconds = Type.Union([Type.Integer(), Type.Null()]);
const Wait = Type.Object({
  middle: { ...Seconds, description: 'shown in the middle of the line, in seconds' },
  last: { ...Seconds, description: 'shown to a visitor who joins now, in seconds' },
});

const { phase, settings, overrides, waiting, away, admitted, active } = RoomAnswer.properties;
const RoomSummary = Type.Object(
  {
    eventId: Type.String(),
    phase,
    settings,
    overrides,
    waiting,
    away,
    admitted,
    active,
    limit: Type.Integer(),
    admittedPerSecond: Type.Union([Type.Number(), Type.Null()], { description: 'over the last 10 seconds' }),
    wait: Wait,
    trend: Type.Array(Type.Integer(), { description: 'how many waited, at a few points of the last 15 minutes' }),
    order: Type.String(),
    draw: Type.Union([Type.String(), Type.Null()]),
    tier1: Type.Union([
      Type.Object({
        state: Type.String(),
        nextPosition: Type.Integer(),
        servingCounter: Type.Integer(),
        waitingCount: Type.Integer(),
      }),
      Type.Null(),
    ]),
    health: HealthSummary,
    alarms: Type.Array(Type.Unsafe<Alarm>({ type: 'string', enum: [...alarmNames] })),
  },
  { title: 'RoomSummary' },
);

const Numbers = Type.Array(Type.Number());
const Rates = Type.Array(Type.Union([Type.Number(), Type.Null()]));
const History = Type.Object(
  {
    at: Numbers,
    waiting: Numbers,
    inside: Numbers,
    limit: Numbers,
    admittedPerSecond: Rates,
    allowedPerSecond: Rates,
    noShowsPerMinute: Rates,
    waitMiddle: Type.Array(Seconds),
    waitLast: Type.Array(Seconds),
  },
  { title: 'History' },
);

const AddressFindingAnswer = Type.Object({
  cause: Type.Unsafe<AddressCause>({ type: 'string', enum: [...addressCauses] }),
  address: Type.String(),
  trustProxy: Type.String({ description: 'what TRUST_PROXY should be if the address is your proxy' }),
});

const Overview = Type.Object(
  {
    at: Type.String(),
    fault: Type.Union([Type.String(), Type.Null()], {
      description: 'why the store is unavailable; null if it is available',
    }),
    rooms: Type.Array(RoomSummary),
    addressFindings: Type.Array(AddressFindingAnswer, {
      description:
        'proxies that TRUST_PROXY lacks, or that do not say whom they forward; seen by this process in the last hour',
    }),
    history: Type.Optional(History),
  },
  { title: 'Overview' },
);

const OverviewQuery = Type.Object(
  {
    history: Type.Optional(EventParams.properties.eventId),
    since: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description: 'a time in ms since 1970' })),
    span: Type.Optional(
      Type.Unsafe<Span>({
        type: 'string',
        enum: [...spans],
        description:
          'live: the last 15 minutes; hour: the last hour; sale: since the process that answers saw the room',
      }),
    ),
  },
  { additionalProperties: false },
);

export const overviewRoutes: FastifyPluginAsyncTypebox<OverviewOptions> = async (app, options) => {
  const { findFault, roomHistory, operators, now } = options;
  const readRooms = createCachedRead(() => summarise(options), FRESH_MS, options.stopwatch);
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/overview',
    {
      schema: {
        tags: ['operators: rooms'],
        security: [{ operator: [] }],
        operationId: 'getOverview',
        summary: 'Summarize all rooms; with history, include recent samples of one room',
        querystring: OverviewQuery,
        response: { 200: Overview },
      },
    },
    async (request) => {
      const { history, since, span } = request.query;
      const rooms = await readRooms();
      return {
        at: new Date(now()).toISOString(),
        fault: findFault() ?? null,
        rooms,
        addressFindings: [...options.listAddressFindings()],
        ...(history === undefined ? {} : { history: toColumns(roomHistory.since(history, Number(since ?? 0), span)) }),
      };
    },
  );
};

async function summarise({ rooms: source, counters, roomHistory, tickMs, now }: OverviewOptions) {
  const rooms = await source.listRooms();
  return Promise.all(
    rooms.map(async (room) => {
      const { eventId } = room;
      const flow = (ms: number) => roomHistory.flow(eventId, ms);
      const trend = roomHistory.trend(eventId);
      return toRoomSummary({ room, counters: await counters.find(eventId), flow, trend, now: now(), tickMs });
    }),
  );
}

/** Columns take half the bytes of a list of samples. */
function toColumns(samples: readonly Sample[]) {
  return {
    at: samples.map(({ at }) => at),
    waiting: samples.map((sample) => sample.waiting),
    inside: samples.map(({ inside }) => inside),
    limit: samples.map(({ limit }) => limit),
    admittedPerSecond: samples.map((sample) => toRate(sample.admitted, sample.seconds)),
    allowedPerSecond: samples.map(({ allowedPerSecond }) => allowedPerSecond),
    noShowsPerMinute: samples.map(({ noShows, seconds }) => toRate(noShows * 60, seconds)),
    waitMiddle: samples.map(({ wait }) => wait.middle),
    waitLast: samples.map(({ wait }) => wait.last),
  };
}

/** null for the first sample, which covers no time. */
function toRate(count: number, seconds: number): number | null {
  return seconds > 0 ? Math.round((count / seconds) * 100) / 100 : null;
}
