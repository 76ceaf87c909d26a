/** Where the lots of a draw come from, as operators see it. */
import { type Static, Type } from 'typebox';

export const LotSourcesAnswer = Type.Object(
  {
    eventId: Type.String(),
    lots: Type.Integer({ description: 'places that guests took in the lobby' }),
    addresses: Type.Integer({ description: 'IP addresses (/64 for IPv6) they came from' }),
    singles: Type.Integer({ description: 'addresses with one lot' }),
    largest: Type.Array(
      Type.Object({
        address: Type.String({ description: 'a hash of the address, different for each event' }),
        lots: Type.Integer(),
        from: Type.String({ description: 'when the first of them joined' }),
        to: Type.String({ description: 'when the last of them joined' }),
      }),
      { description: 'the addresses with the most lots, at most 20' },
    ),
  },
  { title: 'LotSources' },
);
export type LotSourcesAnswer = Static<typeof LotSourcesAnswer>;
