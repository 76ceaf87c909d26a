/** What a waiting visitor is told, whichever door they wait at: the same fields by the same names. */
import { estimateWait } from './estimate.ts';
import type { Crowd, InsideStanding } from './line-store.ts';
import type { Phase, RoomSettings } from './room-settings.ts';

/** About the line as a whole: the same for everyone in it. */
export function toCrowdFields({ waiting, admitted, active, settings }: Crowd) {
  return { queueSize: waiting, currentUsers: admitted + active, threshold: settings.maxActive };
}

/** About one place in it. */
export function toPlaceFields(
  { number, position }: { number: number; position: number },
  crowd: Crowd,
  tickMs: number,
) {
  const { phase, settings, pace, stock } = crowd;
  const inside = crowd.admitted + crowd.active;
  const wait = estimateWait({ position, phase, settings, inside, pace, stock, tickMs });
  return {
    number,
    position,
    peopleAhead: position - 1,
    peopleBehind: Math.max(0, crowd.waiting - position),
    ...(wait.known
      ? {
          estimatedWait: wait.seconds,
          estimatedWaitRange: { low: wait.low, high: wait.high },
          confidence: wait.confidence,
          ...(wait.change === undefined ? {} : { waitChange: wait.change }),
        }
      : { estimatedWait: null, waitReason: wait.reason, ...toWaitUntil(wait.reason, settings) }),
  };
}

/** About somebody who has none yet, because numbers are drawn when the room opens. */
export function toLobbyFields({ ticket }: { ticket: string }) {
  return { drawTicket: ticket, estimatedWait: null, waitReason: 'draw' as const };
}

/** By which a visitor took part in the draw, where there was one. */
export function toTicketFields({ ticket }: { ticket?: string }): { drawTicket?: string } {
  return ticket === undefined ? {} : { drawTicket: ticket };
}

/** About the place of somebody who may enter by asking. */
export function toReadyFields({ number, expiresAt }: InsideStanding) {
  const enterBy = new Date(expiresAt).toISOString();
  return { number, position: 0, peopleAhead: 0, estimatedWait: 0, readyForEntry: true, enterBy };
}

/** Until when there is nothing to estimate, where that is known. */
function toWaitUntil(
  reason: Phase | 'no_room' | 'few_left' | 'sold_out',
  { opensAt }: RoomSettings,
): { waitUntil?: string } {
  return reason === 'not_open' && opensAt !== undefined ? { waitUntil: opensAt } : {};
}

export interface RoomFields {
  state: Phase;
  opensAt?: string;
  closesAt?: string;
  message?: NonNullable<RoomSettings['message']>;
  /** Nothing is left and nothing is held; whoever stays in line is first when something is given back. */
  soldOut?: true;
  /** How long a page may be closed without losing its place. */
  keptSeconds: number;
}

/** What the operator says: whether people are let in, its hours, a word to those who wait; and whether all is sold. */
export function toRoomFields({ phase, settings, stock }: Crowd): RoomFields {
  const fields: Omit<RoomFields, 'keptSeconds'> = { state: phase };
  if (settings.opensAt !== undefined) fields.opensAt = settings.opensAt;
  if (settings.closesAt !== undefined) fields.closesAt = settings.closesAt;
  if (settings.message !== undefined) fields.message = settings.message;
  if (settings.followStock && stock?.isSoldOut) fields.soldOut = true;
  const keptMs = Math.min(settings.disconnectGraceMs, settings.seenTtlMs);
  return Object.assign(fields, { keptSeconds: Math.floor(keptMs / 1000) });
}
