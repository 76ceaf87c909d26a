/** Typed twin of find-room.lua. */

import { loadScript } from '../../../../platform/redis/scripts.ts';
import { type RoomView, type RoomViewReply, toRoomView } from './room-view.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('find-room.lua', import.meta.url));

export async function findRoomView(caller: ScriptCaller, eventId: string): Promise<RoomView | undefined> {
  const reply = await caller.call({ script, eventId });
  return reply === null ? undefined : toRoomView(reply as RoomViewReply, caller.defaults);
}
