/** The figures of the statistics: counts, and sums of money per currency. */
export const countNames = [
  'joined',
  'admitted',
  'created',
  'confirmed',
  'cancelled',
  'transfers',
  'transfersCancelled',
  'memberships',
] as const;
export type Counts = Record<(typeof countNames)[number], number>;

export const sumNames = ['revenue', 'refunds', 'transferred', 'memberships'] as const;
export type Sums = Record<(typeof sumNames)[number], number>;

export interface Figures {
  counts: Counts;
  money: (Sums & { currency: string })[];
}
