/** Typed twin of rename.lua. */

import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { RenameOutcome } from '../../visits.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('rename.lua', import.meta.url));

export async function rename(
  caller: ScriptCaller,
  { eventId, from, to }: { eventId: string; from: string; to: string },
): Promise<RenameOutcome> {
  const reply = await caller.callDurably({ script, eventId, args: [from, to] });
  if (reply === null) return { outcome: 'no-room' };
  const [outcome] = reply as ['absent' | 'drawing' | 'kept' | 'renamed'];
  return { outcome };
}
