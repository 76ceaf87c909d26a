/** Typed twin of finish-draw.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import { presentKey } from './keys.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('finish-draw.lua', import.meta.url));

export async function finishDraw(caller: ScriptCaller, eventId: string, seed: string, listHash: string): Promise<void> {
  await caller.call({ script, eventId, args: [seed, listHash], moreKeys: [presentKey(eventId)] });
}
