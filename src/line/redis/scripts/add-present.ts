/** Typed twin of add-present.lua. */
import { loadScript } from '../../../platform/redis/scripts.ts';
import { presentKey } from '../keys.ts';
import type { ScriptCaller } from '../script-caller.ts';

export interface PresentChunk {
  from: number;
  to: number;
  tickets: Buffer;
}

const script = loadScript(new URL('add-present.lua', import.meta.url));

export async function addPresent(caller: ScriptCaller, eventId: string, seed: string, chunk: PresentChunk) {
  const args = [seed, chunk.from, chunk.to, chunk.tickets];
  await caller.call({ script, eventId, args, moreKeys: [presentKey(eventId)] });
}
