/** Typed twin of give-numbers.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { ScriptCaller } from './script-caller.ts';

export interface NumbersChunk {
  /** The arrival before the first one. */
  from: number;
  /** 0 for visitors who are not on the list. */
  numbers: number[];
}

const script = loadScript(new URL('give-numbers.lua', import.meta.url));

export async function giveNumbers(caller: ScriptCaller, eventId: string, seed: string, chunk: NumbersChunk) {
  const packed = Buffer.alloc(chunk.numbers.length * 8);
  for (const [index, number] of chunk.numbers.entries()) packed.writeDoubleBE(number, index * 8);
  await caller.call({ script, eventId, args: [seed, chunk.from, packed] });
}
