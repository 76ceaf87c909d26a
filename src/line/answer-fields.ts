/** What a waiting visitor is told, whichever door they wait at: the same fields by the same names. */
import { estimateWait } from './estimate.ts';
import type { Crowd, InsideStanding, WaiterStanding } from './line-store.ts';
import type { WaitChange } from './pace.ts';
import type { Phase, RoomSettings } from './room-settings.ts';

/** About the line as a whole: the same for everyone in it. */
export function toCrowdFields({ waiting, admitted, active, settings }: Crowd) {
  return { queueSize: waiting, currentUsers: admitted + active, threshold: settings.maxActive };
}

/** About one place in it. */
export function toPlaceFields(
  { number, position, lane }: { number: number; position: number } & LaneField,
  crowd: Crowd,
  tickMs: number,
) {
  const { phase, settings, pace, stock } = crowd;
  const inside = crowd.admitted + crowd.active;
  const wait = estimateWait({ position, phase, settings, inside, pace, stock, tickMs });
  const change = wait.known ? toldChange(wait.change, settings) : undefined;
  return {
    number,
    position,
    ...toLaneField({ lane }),
    peopleAhead: position - 1,
    peopleBehind: Math.max(0, crowd.waiting - position),
    ...(wait.known
      ? {
          estimatedWait: wait.seconds,
          estimatedWaitRange: { low: wait.low, high: wait.high },
          confidence: wait.confidence,
          ...(change === undefined ? {} : { waitChange: change }),
        }
      : { estimatedWait: null, waitReason: wait.reason, ...toWaitUntil(wait.reason, settings) }),
  };
}

/** About somebody who has none yet, because numbers are drawn when the room opens. */
export function toLobbyFields({ ticket, lane }: { ticket: string } & LaneField) {
  return { drawTicket: ticket, ...toLaneField({ lane }), estimatedWait: null, waitReason: 'draw' as const };
}

type LaneField = { lane?: WaiterStanding['lane'] | undefined };

/** Told only to those who stand in the lane that goes first. */
export function toLaneField({ lane }: LaneField): { lane?: 'priority' } {
  return lane === undefined ? {} : { lane };
}

/** `lanes`: others have come, or may come, who go before by the share that the room keeps for its lanes. */
export type ToldChange = WaitChange | 'lanes';

function toldChange(change: WaitChange | undefined, { priorityShare }: RoomSettings): ToldChange | undefined {
  return change ?? (priorityShare > 0 ? 'lanes' : undefined);
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
  /** Percent of admissions that go to members first while others wait too; absent where they have no lane. */
  priorityShare?: number;
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
  if (settings.priorityShare > 0) fields.priorityShare = settings.priorityShare;
  if (settings.followStock && stock?.isSoldOut) fields.soldOut = true;
  const keptMs = Math.min(settings.disconnectGraceMs, settings.seenTtlMs);
  return Object.assign(fields, { keptSeconds: Math.floor(keptMs / 1000) });
}
