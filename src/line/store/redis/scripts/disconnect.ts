/** Typed twin of disconnect.lua. */

import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { DisconnectOutcome } from '../../visits.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('disconnect.lua', import.meta.url));

export async function disconnect(caller: ScriptCaller, eventId: string, visitor: string): Promise<DisconnectOutcome> {
  const reply = await caller.call({ script, eventId, args: [visitor] });
  if (reply === null) return { outcome: 'no-room' };
  const [outcome, from] = reply as ['absent'] | ['kept'] | ['left', 'lobby' | 'waiting' | 'admitted' | 'active'];
  return outcome === 'left' ? { outcome, from } : { outcome };
}
