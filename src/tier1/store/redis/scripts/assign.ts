/** Typed twin of assign.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { AssignOutcome } from '../../tier1-store.ts';
import { type CountersReply, type Tier1ScriptCaller, toCounters } from './script-caller.ts';

export interface AssignArguments {
  eventId: string;
  devices: readonly string[];
  rememberMs: number;
}

const script = loadScript(new URL('assign.lua', import.meta.url));

export async function assign(caller: Tier1ScriptCaller, { eventId, devices, rememberMs }: AssignArguments) {
  const reply = (await caller.call(script, eventId, [rememberMs, ...devices])) as [CountersReply, number[]] | null;
  if (reply === null) return { outcome: 'inactive' } satisfies AssignOutcome;
  const [counters, positions] = reply;
  return { outcome: 'assigned', counters: toCounters(eventId, counters), positions } satisfies AssignOutcome;
}
