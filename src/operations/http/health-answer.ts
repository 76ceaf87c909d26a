/** The health of the site in the overview: the result of toHealthSummary. */
import { Type } from 'typebox';

const orNull = <T extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

export const HealthSummary = Type.Union([
  Type.Object(
    {
      perSecond: Type.Number({ description: 'the admission rate in force' }),
      fullPerSecond: Type.Number(),
      cause: orNull(Type.String({ description: 'errors or latency; null at the full rate' })),
      errorShare: orNull(Type.Number()),
      p95Ms: orNull(Type.Number()),
      measuredAt: orNull(Type.String()),
      loweredAt: orNull(Type.String()),
      ignoredUntil: orNull(Type.String({ description: 'until then the full rate applies whatever the site does' })),
    },
    { title: 'SiteHealth' },
  ),
  Type.Null(),
]);
