/** Typed twin of leave.lua. */

import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { LeaveOutcome } from '../../visits.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('leave.lua', import.meta.url));

export async function leave(
  caller: ScriptCaller,
  { eventId, visitor, tokenId = '' }: { eventId: string; visitor: string; tokenId?: string | undefined },
): Promise<LeaveOutcome> {
  const reply = await caller.call({ script, eventId, args: [visitor, tokenId] });
  if (reply === null) return { outcome: 'no-room' };
  const [outcome, from] = reply as ['absent'] | ['left', 'lobby' | 'waiting' | 'admitted' | 'active'];
  return outcome === 'left' ? { outcome, from } : { outcome };
}
