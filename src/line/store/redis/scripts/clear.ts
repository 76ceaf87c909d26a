/** Typed twin of clear.lua. */

import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { DrawSecrets } from '../../../model/draw-state.ts';
import type { ClearOutcome } from '../../rooms.ts';
import { entriesKey, presentKey } from './keys.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('clear.lua', import.meta.url));

/** `secrets` are for the new draw, if the old one had begun. */
export async function clear(caller: ScriptCaller, eventId: string, secrets: DrawSecrets): Promise<ClearOutcome> {
  const moreKeys = [presentKey(eventId), entriesKey(eventId)];
  const reply = await caller.call({ script, eventId, args: [secrets.seed, secrets.lotKey], moreKeys });
  if (reply === null) return { outcome: 'no-room' };
  const [waiting, inside] = reply as [number, number];
  return { outcome: 'cleared', waiting, inside };
}
