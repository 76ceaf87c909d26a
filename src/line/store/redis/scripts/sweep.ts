/** Typed twin of sweep.lua. */

import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { SweepOutcome } from '../../admissions.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('sweep.lua', import.meta.url));

export async function sweep(caller: ScriptCaller, eventId: string): Promise<SweepOutcome> {
  const reply = await caller.call({ script, eventId });
  if (reply === null) return { outcome: 'no-room' };
  const [more] = reply as [number];
  return { outcome: 'swept', more: more === 1 };
}
