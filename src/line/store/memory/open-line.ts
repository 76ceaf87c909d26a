/** A line of the memory store while it is open, and what a join says of it. */
import { StoreUnavailableError } from '../../../platform/store-unavailable-error.ts';
import type { Pulse } from '../../estimate/pulse.ts';
import type { Line, Place } from '../../model/line.ts';
import { toCrowd, toStanding } from './line-view.ts';

export interface OpenLine {
  line: Line;
  pulse: Pulse | undefined;
  /** False from a tick that found the line empty until the next join. */
  isBusy: boolean;
}

interface Placed {
  outcome: 'joined' | 'already';
  place: Place;
}

export function toJoinOutcome<Refusal extends { outcome: string }>(
  open: OpenLine,
  result: Placed | Refusal,
  now: number,
) {
  if (!isPlaced(result)) return result;
  open.isBusy = true;
  const { outcome, place } = result;
  return { outcome, standing: toStanding(open.line, place, now), crowd: toCrowd(open.line, now) };
}

function isPlaced<Refusal>(result: Placed | Refusal): result is Placed {
  return (result as Partial<Placed>).place !== undefined;
}

export function asUnavailable(error: Error): never {
  throw new StoreUnavailableError(error.message);
}

export function isBusy({ places }: Line): boolean {
  return places.size > 0;
}
