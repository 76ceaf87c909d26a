/** The statistics as the API shows them to operators. */
import { type Static, Type } from 'typebox';
import { countNames, sumNames } from '../figures.ts';

const numbers = <T extends string>(names: readonly T[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Integer()])) as Record<T, ReturnType<typeof Type.Integer>>;
const money = Type.Array(Type.Object({ currency: Type.String(), ...numbers(sumNames) }), {
  description: 'in the smallest unit of each currency',
});
const figures = { counts: Type.Object(numbers(countNames)), money };

export const FiguresAnswer = Type.Object(figures);
export type FiguresAnswer = Static<typeof FiguresAnswer>;

const Share = Type.Union([Type.Number(), Type.Null()]);
export const ConversionAnswer = Type.Object({
  joined: Type.Integer(),
  admitted: Type.Integer(),
  held: Type.Integer(),
  paid: Type.Integer(),
  admittedOfJoined: Share,
  heldOfAdmitted: Share,
  paidOfHeld: Share,
  paidOfJoined: Share,
});
export type ConversionAnswer = Static<typeof ConversionAnswer>;

export const OverviewAnswer = Type.Object({ ...figures, conversion: ConversionAnswer });
export type OverviewAnswer = Static<typeof OverviewAnswer>;

export const DaysAnswer = Type.Array(Type.Object({ day: Type.String(), ...figures }));
export type DaysAnswer = Static<typeof DaysAnswer>;

export const HoursAnswer = Type.Array(Type.Object({ hour: Type.String(), ...figures }));
export type HoursAnswer = Static<typeof HoursAnswer>;

export const EventsAnswer = Type.Array(Type.Object({ eventId: Type.String(), ...figures }));
export type EventsAnswer = Static<typeof EventsAnswer>;

export const EventStatsAnswer = Type.Object({
  eventId: Type.String(),
  ...figures,
  conversion: ConversionAnswer,
  daily: DaysAnswer,
  hourly: HoursAnswer,
});
export type EventStatsAnswer = Static<typeof EventStatsAnswer>;

export const RevenueAnswer = Type.Object({
  total: money,
  daily: Type.Array(Type.Object({ day: Type.String(), money })),
});
export type RevenueAnswer = Static<typeof RevenueAnswer>;

export const RealtimeAnswer = Type.Object({
  thisHour: FiguresAnswer,
  hourly: HoursAnswer,
  behind: Type.Integer({ description: 'records not counted yet' }),
});
export type RealtimeAnswer = Static<typeof RealtimeAnswer>;
