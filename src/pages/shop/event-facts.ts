/** What follows from what is known of an event. */
import type { EventAnswer } from './wire.ts';

export function leftOf({ seats, standing }: EventAnswer): number {
  return standing.reduce((sum, { remaining }) => sum + remaining, seats.remaining);
}

export function totalOf({ seats, standing }: EventAnswer): number {
  return standing.reduce((sum, { total }) => sum + total, seats.total);
}
