/** Typed twin of give-numbers.lua. */
import { loadScript } from '../../../platform/redis/scripts.ts';
import type { ScriptCaller } from '../script-caller.ts';

export interface Lot {
  visitor: string;
  number: number;
}

const script = loadScript(new URL('give-numbers.lua', import.meta.url));

export async function giveNumbers(caller: ScriptCaller, eventId: string, seed: string, lots: Lot[]): Promise<void> {
  const args = [seed, ...lots.flatMap(({ visitor, number }) => [visitor, number])];
  await caller.call({ script, eventId, args });
}
