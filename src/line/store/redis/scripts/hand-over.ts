/** Typed twin of hand-over.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { HandOverOutcome } from '../../numbers.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('hand-over.lua', import.meta.url));

export async function handOver(caller: ScriptCaller, eventId: string, activation: string): Promise<HandOverOutcome> {
  const reply = (await caller.callDurably({ script, eventId, args: [activation] })) as number | null;
  return reply === null ? { outcome: 'no-room' } : { outcome: 'handed-over', last: reply };
}
