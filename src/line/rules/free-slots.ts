/** Admission limits other than the rate: free slots, claim window, minimum wait. */
import { countInside, type Line } from '../model/line.ts';
import { limitOf } from '../model/stock.ts';

/** Free slots; 0 or less if there is none. A claim room also limits how many visitors are ready at once. */
export function countFree(line: Line): number {
  const { admission, claimWindow } = line.settings;
  const room = limitOf(line.settings, line.stock) - countInside(line);
  return admission === 'claim' ? Math.min(room, claimWindow - line.admitted.size) : room;
}

/** In a claim room nobody is ready before minWaitMs has passed, nor is anyone behind them. */
export function isTooEarly({ settings }: Line, joinedAt: number, now: number): boolean {
  return settings.admission === 'claim' && now < joinedAt + settings.minWaitMs;
}
