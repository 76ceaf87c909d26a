/** Values derived from an event. */
import type { EventAnswer } from '../shared/wire.ts';

export function leftOf({ seats, standing }: EventAnswer): number {
  return standing.reduce((sum, { remaining }) => sum + remaining, seats.remaining);
}

export function totalOf({ seats, standing }: EventAnswer): number {
  return standing.reduce((sum, { total }) => sum + total, seats.total);
}

/** When sales start, for everyone and for members; past times are left out. */
export function saleTimesOf({ onSaleAt, membersFrom }: EventAnswer, now: number): { all?: string; members?: string } {
  const isAhead = (iso: string | null): iso is string => iso !== null && Date.parse(iso) > now;
  return {
    ...(isAhead(onSaleAt) ? { all: onSaleAt } : {}),
    ...(isAhead(membersFrom) && membersFrom !== onSaleAt ? { members: membersFrom } : {}),
  };
}
