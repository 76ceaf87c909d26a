/** Typed twin of put-room.lua. */
import { randomBytes } from 'node:crypto';
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { DrawPhase, DrawSecrets } from '../../../model/draw-state.ts';
import type { RoomOverrides } from '../../../model/room-settings.ts';
import type { ScheduledChange } from '../../../model/scheduled-change.ts';
import { thresholdKey } from './keys.ts';
import { type RoomView, type RoomViewReply, toRoomView } from './room-view.ts';
import { type ScriptCaller, toRules } from './script-caller.ts';

export interface PutRoomArguments {
  eventId: string;
  /** The version that was read; 0 if there was no room. */
  version: number;
  overrides: RoomOverrides;
  /** The phase of the draw that was read; undefined for none. */
  drawPhase: DrawPhase | undefined;
  /** Whether the change is allowed only while nobody waits. */
  needsNobody: boolean;
  /** Whether the room has a draw after the change; `secrets` are for a new one. */
  hasDraw: boolean;
  secrets: DrawSecrets;
  /** The scheduled changes after this one; undefined leaves them as they are. */
  scheduled?: readonly ScheduledChange[] | undefined;
}

export type PutRoomReply = { outcome: 'put'; view: RoomView } | { outcome: 'conflict' };

const script = loadScript(new URL('put-room.lua', import.meta.url));

export async function putRoom(caller: ScriptCaller, put: PutRoomArguments) {
  const { eventId, version, overrides, secrets } = put;
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
      put.drawPhase ?? '',
      put.needsNobody ? 1 : 0,
      put.hasDraw ? 1 : 0,
      secrets.seed,
      secrets.lotKey,
      put.scheduled === undefined ? '' : JSON.stringify(put.scheduled),
    ],
    moreKeys: [thresholdKey(eventId)],
  });
  const [outcome, view] = reply as ['put', RoomViewReply] | ['conflict'];
  if (outcome === 'conflict') return { outcome } satisfies PutRoomReply;
  return { outcome, view: toRoomView(view, caller.defaults) } satisfies PutRoomReply;
}
