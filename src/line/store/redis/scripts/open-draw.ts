/** Typed twin of open-draw.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { DrawProgress } from '../../../draw/draw-runner.ts';
import type { DrawPhase } from '../../../model/draw-state.ts';
import type { ScriptCaller } from './script-caller.ts';

type OpenDrawReply = [
  phase: DrawPhase,
  seed: string,
  lotKey: string,
  firstNumber: number,
  gatheredTo: number,
  lastArrival: number,
  count: number,
  firstInLobby: number,
];

const script = loadScript(new URL('open-draw.lua', import.meta.url));

export async function openDraw(caller: ScriptCaller, eventId: string): Promise<DrawProgress | undefined> {
  const reply = await caller.call({ script, eventId });
  if (reply === null) return undefined;
  const [phase, seed, lotKey, firstNumber, gatheredTo, lastArrival, count, firstInLobby] = reply as OpenDrawReply;
  const facts = { phase, seed, lotKey, firstNumber, gatheredTo, lastArrival, count };
  return { ...facts, firstInLobby: firstInLobby === 0 ? undefined : firstInLobby };
}
