/** The bytes of the stream: pure functions from what is known to server-sent events. */
import { createHash } from 'node:crypto';
import { toCrowdFields, toLobbyFields, toPlaceFields, toReadyFields, toRoomFields } from '../line/http/poll-answer.ts';
import type { Crowd, WaiterStanding } from '../line/model/standing.ts';
import type { Admission } from '../line/tokens/entry-tokens.ts';

/** Why the server closes a stream. After `stopping`, `slow` and `renamed` the client should come again. */
export type ByeReason = 'stopping' | 'slow' | 'renamed' | 'replaced' | 'left';
/** What became of a place that is no more: `lapsed` in line or not entered in time, `ended` inside. */
export type GoneReason = 'lapsed' | 'ended';

/**
 * The id of an event after which there is nothing to come back for. A browser reconnects to any stream that ends and
 * presents the last id; told 204 it stops. Without it, a page whose place is gone would stand at the end of the line
 * again unasked, and two pages could replace each other for ever.
 */
export const FINAL_ID = 'end';

/** Keeps proxies from taking a quiet stream for a dead one. */
export const HEARTBEAT = ':\n\n';

export interface RoomFrame {
  /** Equal for equal content, whichever process made it. */
  id: string;
  text: string;
}

export function formatRetry(ms: number): string {
  return `retry: ${Math.round(ms)}\n\n`;
}

export function formatRoom(crowd: Crowd): RoomFrame {
  const data = JSON.stringify(toRoomFields(crowd));
  const id = createHash('sha256').update(data).digest('base64url').slice(0, 12);
  return { id, text: formatEvent('room', data, id) };
}

/** A formatter for all positions in one state of the line: what they have in common is rendered only once. */
export function createPositionFormatter(crowd: Crowd, tickMs: number): (standing: WaiterStanding) => string {
  const common = JSON.stringify(toCrowdFields(crowd)).slice(1);
  return (standing) => {
    const own = standing.state === 'lobby' ? toLobbyFields(standing) : toPlaceFields(standing, crowd, tickMs);
    return formatEvent('position', `${JSON.stringify(own).slice(0, -1)},${common}`);
  };
}

export function formatReady(standing: Admission): string {
  return formatEvent('ready', JSON.stringify(toReadyFields(standing)));
}

export function formatAdmitted(entryToken: string, { admittedAt, expiresAt }: Admission): string {
  const [admitted, expires] = [new Date(admittedAt).toISOString(), new Date(expiresAt).toISOString()];
  return formatEvent('admitted', JSON.stringify({ entryToken, admittedAt: admitted, expiresAt: expires }));
}

export function formatGone(reason: GoneReason): string {
  return formatEvent('gone', JSON.stringify({ reason }), FINAL_ID);
}

export function formatBye(reason: ByeReason): string {
  const isFinal = reason === 'replaced' || reason === 'left';
  return formatEvent('bye', JSON.stringify({ reason }), isFinal ? FINAL_ID : undefined);
}

/** `data` is JSON, which has no line break of its own. */
function formatEvent(name: string, data: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`;
}
