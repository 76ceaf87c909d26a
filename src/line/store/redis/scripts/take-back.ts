/** Typed twin of take-back.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { ScriptCaller } from './script-caller.ts';

export interface TakeBackArguments {
  eventId: string;
  activation: string;
  last: number;
}

const script = loadScript(new URL('take-back.lua', import.meta.url));

export async function takeBack(caller: ScriptCaller, { eventId, activation, last }: TakeBackArguments): Promise<void> {
  await caller.callDurably({ script, eventId, args: [activation, last] });
}
