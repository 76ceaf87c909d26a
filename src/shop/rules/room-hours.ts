/** How the room of an event follows its sale: nobody can join or is admitted once the sale has ended. */
import type { RoomChange, RoomOverrides } from '../../line/model/room-settings.ts';
import { type PhaseFacts, salesEndOf } from './event-phase.ts';

type SaleTimes = Pick<PhaseFacts, 'salesEndAt' | 'startsAt'>;

/**
 * The change of the room after a change of its event, or undefined. A closing time that the operator has set stays, unless
 * it is after the end of the sale.
 */
export function followSale(
  { closesAt }: RoomOverrides,
  event: SaleTimes,
  before: SaleTimes | undefined,
): RoomChange | undefined {
  const end = salesEndOf(event);
  const closes = closesAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(closesAt);
  const followed = before !== undefined && closes === salesEndOf(before);
  if (closes === end || (closes < end && !followed)) return undefined;
  return { closesAt: new Date(end).toISOString() };
}
