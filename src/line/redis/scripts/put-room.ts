/** Typed twin of put-room.lua. */
import { randomBytes } from 'node:crypto';
import { loadScript } from '../../../platform/redis/scripts.ts';
import type { RoomOverrides } from '../../room-settings.ts';
import { thresholdKey } from '../keys.ts';
import { type RoomView, type RoomViewReply, toRoomView } from '../room-view.ts';
import type { ScriptCaller } from '../script-caller.ts';
import { toRules } from '../script-rules.ts';

export interface PutRoomArguments {
  eventId: string;
  /** The version that the overrides were made from; 0 where there was no room. */
  version: number;
  overrides: RoomOverrides;
}

export type PutRoomReply = { outcome: 'put'; view: RoomView } | { outcome: 'conflict' };

const script = loadScript(new URL('put-room.lua', import.meta.url));

export async function putRoom(caller: ScriptCaller, { eventId, version, overrides }: PutRoomArguments) {
  const reply = await caller.call({
    script,
    eventId,
    args: [
      randomBytes(9).toString('base64url'),
      version,
      JSON.stringify(overrides),
      JSON.stringify(toRules(overrides)),
      randomBytes(6).toString('base64url'),
      overrides.maxActive ?? '',
    ],
    moreKeys: [thresholdKey(eventId)],
  });
  const [outcome, view] = reply as ['put', RoomViewReply] | ['conflict'];
  if (outcome === 'conflict') return { outcome } satisfies PutRoomReply;
  return { outcome, view: toRoomView(view, caller.defaults) } satisfies PutRoomReply;
}
