/** How many may be let in, and who may not yet, apart from the rate. */
import { countInside, type Line } from '../model/line.ts';
import { limitOf } from '../model/stock.ts';

/** Slots that may be given now; below 1 where there is none. A claim room also bounds how many are ready at once. */
export function countFree(line: Line): number {
  const { admission, claimWindow } = line.settings;
  const room = limitOf(line.settings, line.stock) - countInside(line);
  return admission === 'claim' ? Math.min(room, claimWindow - line.admitted.size) : room;
}

/** In a claim room nobody is ready before they have waited minWaitMs; nor is anybody behind them. */
export function isTooEarly({ settings }: Line, joinedAt: number, now: number): boolean {
  return settings.admission === 'claim' && now < joinedAt + settings.minWaitMs;
}
