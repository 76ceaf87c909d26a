/** Typed twin of visit.lua: visitors who come, are seen or are asked about, all of one turn in one call. */

import { loadScript } from '../../../platform/redis/scripts.ts';
import { toTicket } from '../../draw.ts';
import { isDrawnNumber, isUntold } from '../../draw-state.ts';
import type { JoinOutcome, LookOutcome, NoRoom, Standing } from '../../line-store.ts';
import { type RoomView, type RoomViewReply, toRoomView } from '../room-view.ts';
import type { ScriptCaller } from '../script-caller.ts';

export interface Visit {
  verb: 'join' | 'look' | 'find';
  visitor: string;
}

export type VisitOutcome = JoinOutcome | LookOutcome;

type AnswerReply = [outcome: string, state?: string, number?: number, first?: number, second?: number];

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
  return answers.map((answer, i) => toOutcome(answer, view, visits[i]!.visitor));
}

function toOutcome(answer: AnswerReply, view: RoomView, visitor: string): VisitOutcome {
  const outcome = answer[0] as VisitOutcome['outcome'];
  if (outcome === 'closed' || outcome === 'no-room') return { outcome };
  return { outcome, standing: toStanding(answer, view, visitor), crowd: view.crowd };
}

function toStanding(answer: AnswerReply, view: RoomView, visitor: string): Standing {
  const [, state, number = 0, first = 0, second = 0] = answer;
  switch (state) {
    case 'lobby':
      return { state, joinedAt: first, ticket: toTicket(view.draw!.ticketKey, visitor) };
    case 'waiting':
      if (isUntold(view.draw, number)) return toStanding(['', 'lobby', 0, second], view, visitor);
      return { state, number, position: first, joinedAt: second, ...toTicketField(number, view, visitor) };
    case 'admitted':
    case 'active': {
      const times = { admittedAt: first, expiresAt: second };
      return { state, number, tokenId: `${view.epoch}.${number}`, ...times, ...toTicketField(number, view, visitor) };
    }
    default:
      return { state: 'absent' };
  }
}

function toTicketField(number: number, { draw }: RoomView, visitor: string): { ticket?: string } {
  return draw !== undefined && isDrawnNumber(draw, number) ? { ticket: toTicket(draw.ticketKey, visitor) } : {};
}
