/**
 * Formats the unnamed messages of a stream, for clients that listen to `message` only: pure functions. One message says
 * all, and there is none about the room.
 */
import type { WaiterStanding } from '../../line/model/standing.ts';
import { type ByeReason, FINAL_ID } from './frames.ts';
import type { Watcher } from './watcher.ts';

type Who = Pick<Watcher, 'eventId' | 'visitor'>;

export function formatWaiting(who: Who, standing: WaiterStanding): string {
  // In the lobby of a draw nobody has a position.
  return format(who, { status: 'IN_ENTRY', order: standing.state === 'lobby' ? null : standing.position });
}

/** In a claim room: nobody is ahead, but there is no token before the visitor enters. */
export function formatReadyMessage(who: Who): string {
  return format(who, { status: 'IN_ENTRY', order: 0 });
}

export function formatInside(who: Who, token: string): string {
  return format(who, { status: 'IN_PROGRESS', order: 0, token });
}

/** The last text of a stream. Such clients reconnect to every stream that ends, so a final one must say why it ended. */
export function formatLast(who: Who, reason: ByeReason | 'gone'): string {
  if (reason === 'gone' || reason === 'left')
    return `id: ${FINAL_ID}\n${format(who, { status: 'EXPIRED', order: null })}`;
  // The visitor still has the place; only this stream must not come back.
  return reason === 'replaced' ? `id: ${FINAL_ID}\n\n` : '';
}

interface Content {
  status: 'IN_ENTRY' | 'IN_PROGRESS' | 'EXPIRED';
  order: number | null;
  token?: string;
}

function format({ eventId, visitor }: Who, { status, order, token = undefined }: Content): string {
  return `data: ${JSON.stringify({ status, userId: visitor, eventId, order, token: token ?? null })}\n\n`;
}
