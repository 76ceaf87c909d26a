/** Typed twin of add-present.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import { LOT_BYTES, withoutHoles } from '../../../model/draw-state.ts';
import { presentKey } from './keys.ts';
import type { ScriptCaller } from './script-caller.ts';

export interface PresentChunk {
  /** The arrival before the first one. */
  from: number;
  /** 16 bytes for each arrival; zeros for visitors who do not take part. */
  lots: Buffer;
}

const script = loadScript(new URL('add-present.lua', import.meta.url));

export async function addPresent(caller: ScriptCaller, eventId: string, seed: string, chunk: PresentChunk) {
  const count = withoutHoles(chunk.lots).length / LOT_BYTES;
  const args = [seed, chunk.from, count, chunk.lots];
  await caller.call({ script, eventId, args, moreKeys: [presentKey(eventId)] });
}
