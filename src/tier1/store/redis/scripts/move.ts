/** Typed twin of move.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import { beginsAt, type StateMove } from '../../../rules/move.ts';
import type { Tier1ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('move.lua', import.meta.url));

/** True if the step was applied. */
export async function move(caller: Tier1ScriptCaller, eventId: string, step: StateMove): Promise<boolean> {
  const before = step.to === 'opening' ? (step.after ?? '') : step.activation;
  const args = [before, beginsAt(step).join(','), step.to, step.activation, countFrom(step)];
  return (await caller.call(script, eventId, args)) === 1;
}

function countFrom(step: StateMove): number | '' {
  if (step.to === 'opening') return 0;
  return step.to === 'active' ? step.base : '';
}
