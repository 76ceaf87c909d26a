/** Typed twin of release.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { NumberingCaller } from './script-caller.ts';

const script = loadScript(new URL('release.lua', import.meta.url));

export async function release(caller: NumberingCaller, eventId: string, device: string, position: number) {
  await caller.call(script, eventId, [device, position]);
}
