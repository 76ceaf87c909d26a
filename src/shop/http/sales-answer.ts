/** The sales of an event as the API shows them to operators. */
import { type Static, Type } from 'typebox';

export const StockAnswer = Type.Object({
  kind: Type.Union([Type.Literal('seats'), Type.Literal('standing')]),
  id: Type.String(),
  name: Type.String(),
  price: Type.Integer(),
  total: Type.Integer(),
  sold: Type.Integer(),
  held: Type.Integer({ description: 'while buyers pay' }),
});
export type StockAnswer = Static<typeof StockAnswer>;

export const SalesAnswer = Type.Object(
  {
    currency: Type.String(),
    purchases: Type.Integer({ description: 'paid reservations' }),
    revenue: Type.Number({
      description: 'net: grossRevenue without refunds, in the smallest unit of the currency',
    }),
    grossRevenue: Type.Number({
      description: 'all confirmed payments for reservations, as `revenue` of the statistics',
    }),
    refunds: Type.Number({ description: 'refunds of confirmed payments, as in the statistics' }),
    stock: Type.Array(StockAnswer),
  },
  { title: 'Sales' },
);
export type SalesAnswer = Static<typeof SalesAnswer>;
