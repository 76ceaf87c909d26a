/** Typed twin of find-room.lua. */
import { type RoomView, type RoomViewReply, toRoomView } from '../room-view.ts';
import type { ScriptCaller } from '../script-caller.ts';
import { loadScript } from '../scripts.ts';

const script = loadScript('find-room');

export async function findRoomView(caller: ScriptCaller, eventId: string): Promise<RoomView | undefined> {
  const reply = await caller.call({ script, eventId });
  return reply === null ? undefined : toRoomView(reply as RoomViewReply, caller.defaults);
}
