/**
 * What the operators' page goes by: one request that tells of all rooms, and of one of them its last minutes. However
 * many operators ask, the stores are read twice a second at most; what it costs grows with the rooms, not with the crowd.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../../identity/operators.ts';
import { RoomAnswer } from '../../line/http/room-answer.ts';
import type { Rooms } from '../../line/store/rooms.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CounterCache } from '../../tier1/counter-cache.ts';
import { type Alarm, alarmNames } from '../alarms.ts';
import type { Recorder } from '../recorder.ts';
import { toRoomSummary } from '../room-summary.ts';
import type { Sample } from '../sample.ts';
import { shareBriefly } from '../share-briefly.ts';

export interface OverviewOptions {
  rooms: Pick<Rooms, 'listRooms'>;
  /** Why the line's store cannot serve right now; undefined when it can. */
  findFault: () => string | undefined;
  counters: CounterCache;
  recorder: Recorder;
  operators: Operators;
  tickMs: number;
  now: () => number;
  /** For spans. */
  stopwatch: Clock;
}

const FRESH_MS = 500;

const Seconds = Type.Union([Type.Integer(), Type.Null()]);
const Wait = Type.Object({
  middle: { ...Seconds, description: 'shown to whoever stands in the middle of the line, in seconds' },
  last: { ...Seconds, description: 'shown to whoever would join now' },
});

const { phase, settings, overrides, waiting, admitted, active } = RoomAnswer.properties;
const RoomSummary = Type.Object(
  {
    eventId: Type.String(),
    phase,
    settings,
    overrides,
    waiting,
    admitted,
    active,
    limit: Type.Integer(),
    admittedPerSecond: Type.Union([Type.Number(), Type.Null()], { description: 'over the last ten seconds' }),
    wait: Wait,
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
    noShowsPerMinute: Rates,
    waitMiddle: Type.Array(Seconds),
    waitLast: Type.Array(Seconds),
  },
  { title: 'History' },
);

const Overview = Type.Object(
  {
    at: Type.String(),
    fault: Type.Union([Type.String(), Type.Null()], { description: 'why the store cannot serve right now' }),
    rooms: Type.Array(RoomSummary),
    history: Type.Optional(History),
  },
  { title: 'Overview' },
);

const OverviewQuery = Type.Object(
  {
    history: Type.Optional(EventParams.properties.eventId),
    since: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description: 'a time in ms since 1970' })),
  },
  { additionalProperties: false },
);

export const overviewRoutes: FastifyPluginAsyncTypebox<OverviewOptions> = async (app, options) => {
  const { findFault, recorder, operators, now } = options;
  const readRooms = shareBriefly(() => summarise(options), FRESH_MS, options.stopwatch);
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/overview',
    {
      schema: {
        tags: ['operators: rooms'],
        security: [{ operator: [] }],
        summary: 'All rooms at a glance; with history, the last minutes of one of them',
        querystring: OverviewQuery,
        response: { 200: Overview },
      },
    },
    async (request) => {
      const { history, since } = request.query;
      const rooms = await readRooms();
      return {
        at: new Date(now()).toISOString(),
        fault: findFault() ?? null,
        rooms,
        ...(history === undefined ? {} : { history: toColumns(recorder.since(history, Number(since ?? 0))) }),
      };
    },
  );
};

async function summarise({ rooms: source, counters, recorder, tickMs }: OverviewOptions) {
  const rooms = await source.listRooms();
  return Promise.all(
    rooms.map(async (room) => {
      const { eventId } = room;
      const flow = (ms: number) => recorder.flow(eventId, ms);
      return toRoomSummary({ room, counters: await counters.find(eventId), flow, tickMs });
    }),
  );
}

/** Half the size of a list of samples. */
function toColumns(samples: readonly Sample[]) {
  return {
    at: samples.map(({ at }) => at),
    waiting: samples.map((sample) => sample.waiting),
    inside: samples.map(({ inside }) => inside),
    limit: samples.map(({ limit }) => limit),
    admittedPerSecond: samples.map((sample) => toRate(sample.admitted, sample.seconds)),
    noShowsPerMinute: samples.map(({ noShows, seconds }) => toRate(noShows * 60, seconds)),
    waitMiddle: samples.map(({ wait }) => wait.middle),
    waitLast: samples.map(({ wait }) => wait.last),
  };
}

/** null where nothing was counted yet. */
function toRate(count: number, seconds: number): number | null {
  return seconds > 0 ? Math.round((count / seconds) * 100) / 100 : null;
}
