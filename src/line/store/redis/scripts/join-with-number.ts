/** Typed twin of join-with-number.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { JoinWithNumberOutcome } from '../../visits.ts';
import { attemptKey, exchangedKey } from './keys.ts';
import { type RoomViewReply, toRoomView } from './room-view.ts';
import type { ScriptCaller } from './script-caller.ts';
import { type AnswerReply, toStanding } from './visit.ts';

export interface JoinWithNumberArguments {
  eventId: string;
  visitor: string;
  number: number;
  /** Whether to join the priority lane. */
  priority: boolean;
}

type Reply = ['closed' | 'used'] | [RoomViewReply, AnswerReply];

const script = loadScript(new URL('join-with-number.lua', import.meta.url));

export async function joinWithNumber(
  caller: ScriptCaller,
  { eventId, visitor, number, priority }: JoinWithNumberArguments,
): Promise<JoinWithNumberOutcome> {
  const moreKeys = [exchangedKey(eventId), attemptKey(eventId, caller.nameAttempt())];
  const args = [visitor, number, priority ? 1 : 0];
  const reply = (await caller.callDurably({ script, eventId, args, moreKeys })) as Reply | null;
  if (reply === null) return { outcome: 'no-room' };
  if (reply.length === 1) return { outcome: reply[0] };
  const view = toRoomView(reply[0], caller.defaults);
  const standing = toStanding(reply[1], view, visitor);
  return { outcome: reply[1][0] as 'joined' | 'already', standing, crowd: view.crowd };
}
