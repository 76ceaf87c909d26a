/** Formats server-sent events: pure functions. */
import { createHash } from 'node:crypto';
import {
  toCrowdFields,
  toLobbyFields,
  toPlaceFields,
  toReadyFields,
  toRoomFields,
} from '../../line/http/poll-answer.ts';
import type { Crowd, WaiterStanding } from '../../line/model/standing.ts';
import type { Admission } from '../../line/tokens/entry-tokens.ts';

/** Why the server closes a stream. After `stopping`, `slow` and `renamed` the client should reconnect. */
export type ByeReason = 'stopping' | 'slow' | 'renamed' | 'replaced' | 'left';
/** Why a place is gone: `lapsed` in line or not entered in time, `ended` inside, the others by an operator. */
export type GoneReason = 'lapsed' | 'ended' | 'removed' | 'banned';

/**
 * The id of a final event. A browser reconnects to every stream that ends and sends the last id; a 204 stops it.
 * Without this, a page whose place is gone would silently rejoin at the end of the line, and two pages could replace
 * each other endlessly.
 */
export const FINAL_ID = 'end';

/** Keeps proxies from closing a quiet stream. */
export const HEARTBEAT = ':\n\n';

export interface RoomFrame {
  /** A hash of the content, the same in every process. */
  id: string;
  text: string;
}

export function formatRetry(ms: number): string {
  return `retry: ${Math.round(ms)}\n\n`;
}

/** `now` decides whether the operator's message has ended. */
export function formatRoom(crowd: Crowd, now: number): RoomFrame {
  const data = JSON.stringify(toRoomFields(crowd, now));
  const id = createHash('sha256').update(data).digest('base64url').slice(0, 12);
  return { id, text: formatEvent('room', data, id) };
}

/** Formats all positions in one state of the line: the common part is rendered only once. */
export function createPositionFormatter(crowd: Crowd, tickMs: number): (standing: WaiterStanding) => string {
  const common = JSON.stringify(toCrowdFields(crowd)).slice(1);
  return (standing) => {
    const own = standing.state === 'lobby' ? toLobbyFields(standing) : toPlaceFields(standing, crowd, tickMs);
    return formatEvent('position', `${JSON.stringify(own).slice(0, -1)},${common}`);
  };
}

export function formatReady(standing: Admission, target: string | null): string {
  return formatEvent('ready', JSON.stringify({ ...toReadyFields(standing), target }));
}

export function formatAdmitted(
  entryToken: string,
  { admittedAt, expiresAt }: Admission,
  target: string | null,
): string {
  const [admitted, expires] = [new Date(admittedAt).toISOString(), new Date(expiresAt).toISOString()];
  return formatEvent('admitted', JSON.stringify({ entryToken, admittedAt: admitted, expiresAt: expires, target }));
}

export function formatGone(reason: GoneReason): string {
  return formatEvent('gone', JSON.stringify({ reason }), FINAL_ID);
}

export function formatBye(reason: ByeReason): string {
  const isFinal = reason === 'replaced' || reason === 'left';
  return formatEvent('bye', JSON.stringify({ reason }), isFinal ? FINAL_ID : undefined);
}

/** `data` is JSON and so has no line breaks. */
function formatEvent(name: string, data: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`;
}
