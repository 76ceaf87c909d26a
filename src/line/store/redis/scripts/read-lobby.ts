/** Typed twin of read-lobby.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('read-lobby.lua', import.meta.url));

export async function readLobby(caller: ScriptCaller, eventId: string, after: number, limit: number) {
  return (await caller.call({ script, eventId, args: [after, limit] })) as string[];
}
