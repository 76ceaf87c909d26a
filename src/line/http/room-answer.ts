/** A room as operators see it. */
import { type Static, Type } from 'typebox';
import { RoomSettings } from '../model/room-settings.ts';
import type { Room } from '../store/rooms.ts';

const {
  admitPerSecond,
  burst,
  expectedStayMs,
  target,
  failOpen,
  followHealth,
  ignoreHealthUntil,
  opensAt,
  closesAt,
  message,
  ...withDefault
} = RoomSettings.properties;

export const RoomAnswer = Type.Object(
  {
    eventId: Type.String(),
    phase: Type.Union([Type.Literal('not_open'), Type.Literal('open'), Type.Literal('paused'), Type.Literal('closed')]),
    settings: Type.Object({
      ...withDefault,
      admitPerSecond: Type.Optional(admitPerSecond),
      burst: Type.Optional(burst),
      expectedStayMs: Type.Optional(expectedStayMs),
      target: Type.Optional(target),
      failOpen: Type.Optional(failOpen),
      followHealth: Type.Optional(followHealth),
      ignoreHealthUntil: Type.Optional(ignoreHealthUntil),
      opensAt: Type.Optional(opensAt),
      closesAt: Type.Optional(closesAt),
      message: Type.Optional(message),
    }),
    overrides: Type.Partial(RoomSettings, { description: 'the settings of this room; the others have the defaults' }),
    waiting: Type.Integer(),
    away: Type.Integer({ description: 'those waiting who are passed over until they are heard from again' }),
    admitted: Type.Integer(),
    active: Type.Integer(),
    stock: Type.Optional(
      Type.Object(
        { slots: Type.Integer(), soldOut: Type.Boolean() },
        { description: 'slots: how many may be inside because of the stock' },
      ),
    ),
    admittedPerSecond: Type.Union([Type.Number(), Type.Null()], {
      description: 'measured over up to 15 minutes while visitors waited; null before',
    }),
    staySeconds: Type.Union([Type.Number(), Type.Null()], {
      description: 'measured time inside; use it as expectedStayMs of the next sale',
    }),
  },
  { title: 'Room' },
);
export type RoomAnswer = Static<typeof RoomAnswer>;

export function toRoomAnswer({ eventId, overrides, crowd }: Room): RoomAnswer {
  const { phase, settings, waiting, away, admitted, active, pace, stock } = crowd;
  const rate = pace.observedPerSecond;
  const admittedPerSecond = rate === undefined ? null : Math.round(rate * 100) / 100;
  const staySeconds = pace.at === 0 ? null : Math.round(pace.slotSeconds);
  const known = stock && { stock: { slots: stock.slots, soldOut: stock.isSoldOut } };
  const counts = { waiting, away, admitted, active };
  return { eventId, phase, settings, overrides, ...counts, ...known, admittedPerSecond, staySeconds };
}
