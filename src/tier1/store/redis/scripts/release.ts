/** Typed twin of release.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { Tier1ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('release.lua', import.meta.url));

export async function release(caller: Tier1ScriptCaller, eventId: string, device: string, position: number) {
  await caller.call(script, eventId, [device, position]);
}
