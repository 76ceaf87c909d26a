/** Typed twin of open-draw.lua. */
import { loadScript } from '../../../platform/redis/scripts.ts';
import type { DrawProgress } from '../../draw-runner.ts';
import type { DrawPhase } from '../../draw-state.ts';
import type { ScriptCaller } from '../script-caller.ts';

type OpenDrawReply = [
  phase: DrawPhase,
  seed: string,
  ticketKey: string,
  firstNumber: number,
  gatheredTo: number,
  lastArrival: number,
  count: number,
  inLobby: number,
];

const script = loadScript(new URL('open-draw.lua', import.meta.url));

export async function openDraw(caller: ScriptCaller, eventId: string): Promise<DrawProgress | undefined> {
  const reply = await caller.call({ script, eventId });
  if (reply === null) return undefined;
  const [phase, seed, ticketKey, firstNumber, gatheredTo, lastArrival, count, inLobby] = reply as OpenDrawReply;
  return { phase, seed, ticketKey, firstNumber, gatheredTo, isGathered: gatheredTo >= lastArrival, count, inLobby };
}
