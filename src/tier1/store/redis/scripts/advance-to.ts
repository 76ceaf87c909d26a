/** Typed twin of advance-to.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { Counters } from '../../../model/counters.ts';
import { type CountersReply, type Tier1ScriptCaller, toCounters } from './script-caller.ts';

const script = loadScript(new URL('advance-to.lua', import.meta.url));

export async function advanceTo(
  caller: Tier1ScriptCaller,
  eventId: string,
  target: number,
): Promise<Counters | undefined> {
  const reply = (await caller.call(script, eventId, [target])) as CountersReply | null;
  return reply === null ? undefined : toCounters(eventId, reply);
}
