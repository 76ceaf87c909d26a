/** Typed twin of disconnect.lua. */
import type { DisconnectOutcome } from '../../line-store.ts';
import type { ScriptCaller } from '../script-caller.ts';
import { loadScript } from '../scripts.ts';

const script = loadScript('disconnect');

export async function disconnect(caller: ScriptCaller, eventId: string, visitor: string): Promise<DisconnectOutcome> {
  const reply = await caller.call({ script, eventId, args: [visitor] });
  if (reply === null) return { outcome: 'no-room' };
  const [outcome, from] = reply as ['absent'] | ['kept'] | ['left', 'waiting' | 'admitted' | 'active'];
  return outcome === 'left' ? { outcome, from } : { outcome };
}
