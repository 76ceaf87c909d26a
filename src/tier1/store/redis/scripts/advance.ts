/** Typed twin of advance.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { Counters, Pace } from '../../../model/counters.ts';
import { type CountersReply, type Tier1ScriptCaller, toCounters } from './script-caller.ts';

const script = loadScript(new URL('advance.lua', import.meta.url));

export async function advance(caller: Tier1ScriptCaller, eventId: string, pace: Pace): Promise<Counters | undefined> {
  const reply = (await caller.call(script, eventId, [pace.batchSize, pace.cycleMs])) as CountersReply | null;
  return reply === null ? undefined : toCounters(eventId, reply);
}
