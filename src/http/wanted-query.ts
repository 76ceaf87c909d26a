import { Type } from 'typebox';

/** Any value is accepted: a `to` that is not allowed has no effect. */
export const WantedQuery = Type.Object({
  to: Type.Optional(
    Type.Unsafe<unknown>({
      description: 'the page that the visitor wanted: a path of this site, with its query',
    }),
  ),
});
