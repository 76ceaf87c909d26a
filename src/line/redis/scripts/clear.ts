/** Typed twin of clear.lua. */

import { loadScript } from '../../../platform/redis/scripts.ts';
import type { ClearOutcome } from '../../line-store.ts';
import type { ScriptCaller } from '../script-caller.ts';

const script = loadScript(new URL('clear.lua', import.meta.url));

export async function clear(caller: ScriptCaller, eventId: string): Promise<ClearOutcome> {
  const reply = await caller.call({ script, eventId });
  if (reply === null) return { outcome: 'no-room' };
  const [waiting, inside] = reply as [number, number];
  return { outcome: 'cleared', waiting, inside };
}
