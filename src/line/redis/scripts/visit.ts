/** Typed twin of visit.lua: visitors who come, are seen or are asked about, all of one turn in one call. */

import { loadScript } from '../../../platform/redis/scripts.ts';
import type { JoinOutcome, LookOutcome, NoRoom, Standing } from '../../line-store.ts';
import { type RoomView, type RoomViewReply, toRoomView } from '../room-view.ts';
import type { ScriptCaller } from '../script-caller.ts';

export interface Visit {
  verb: 'join' | 'look' | 'find';
  visitor: string;
}

export type VisitOutcome = JoinOutcome | LookOutcome;

export type AnswerReply = [outcome: string, state?: string, number?: number, first?: number, second?: number];

const script = loadScript(new URL('visit.lua', import.meta.url));
const NO_ROOM: NoRoom = { outcome: 'no-room' };

/** The outcome of each visit, in the order given. */
export async function visit(caller: ScriptCaller, eventId: string, visits: Visit[]): Promise<VisitOutcome[]> {
  const args = visits.flatMap(({ verb, visitor }) => [verb, visitor]);
  const call = { script, eventId, args };
  const joins = visits.some(({ verb }) => verb === 'join');
  const reply = await (joins ? caller.callDurably(call) : caller.call(call));
  if (reply === null) return visits.map(() => NO_ROOM);
  const [viewReply, answers] = reply as [RoomViewReply, AnswerReply[]];
  const view = toRoomView(viewReply, caller.defaults);
  return answers.map((answer) => toOutcome(answer, view));
}

function toOutcome(answer: AnswerReply, { epoch, crowd }: RoomView): VisitOutcome {
  const outcome = answer[0] as VisitOutcome['outcome'];
  if (outcome === 'closed' || outcome === 'number-required' || outcome === 'no-room') return { outcome };
  return { outcome, standing: toStanding(answer, epoch), crowd };
}

export function toStanding([, state, number = 0, first = 0, second = 0]: AnswerReply, epoch: string): Standing {
  switch (state) {
    case 'waiting':
      return { state, number, position: first, joinedAt: second };
    case 'admitted':
    case 'active':
      return { state, number, tokenId: `${epoch}.${number}`, admittedAt: first, expiresAt: second };
    default:
      return { state: 'absent' };
  }
}
