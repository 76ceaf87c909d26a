/** The responses of the claim door, with the field names that its clients expect. */
import { type Static, Type } from 'typebox';
import { lobbyPollSeconds, nextPollSeconds } from '../estimate/estimate.ts';
import type { RoomSettings } from '../model/room-settings.ts';
import {
  type Crowd,
  isWaiter,
  type LobbyStanding,
  type Standing,
  type WaiterStanding,
  type WaitingStanding,
} from '../model/standing.ts';
import { OneOf, Target, toLaneField, toPlaceFields } from './poll-answer.ts';

const OrNull = (about: string) => Type.Unsafe<number | null>({ type: ['integer', 'null'], description: about });

const Status = OneOf('waiting', 'ready', 'entered', 'expired');
type Status = Static<typeof Status>;

export const JoinAnswer = Type.Object(
  {
    waiting_token: Type.Optional(Type.String({ description: 'the signed place; absent if the place is gone' })),
    position_hint: OrNull('1 is next; 0 once it is their turn; null before a draw'),
    status: Status,
    target: Target,
  },
  { title: 'JoinAnswer' },
);
export type JoinAnswer = Static<typeof JoinAnswer>;

export const ClaimStatus = Type.Object(
  {
    status: Status,
    position: OrNull(
      '1 is next; exact for the first 100, then within 1 %; 0 once it is their turn; null before a draw',
    ),
    rank: OrNull('how many are ahead'),
    aheadCount: OrNull('the same as rank'),
    eta_sec: OrNull('seconds; null if unknown, see wait_reason, or if there is nothing to wait for'),
    eta_range: Type.Optional(Type.Object({ low: Type.Integer(), high: Type.Integer() })),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    wait_reason: Type.Optional(Type.String({ description: 'why there is no estimate' })),
    draw_lot: Type.Optional(Type.String({ description: 'the lot of the visitor in the draw' })),
    lane: Type.Optional(OneOf('priority')),
    waiting_time: OrNull('seconds waited so far, or until it was their turn'),
    ready_for_entry: Type.Boolean({ description: 'true: a request to enter before enter_by is granted' }),
    enter_by: Type.Optional(Type.String({ description: 'until when entry is granted' })),
    next_poll: Type.Integer({ description: 'seconds until the page should poll again' }),
    target: Target,
  },
  { title: 'ClaimStatus' },
);
export type ClaimStatus = Static<typeof ClaimStatus>;

export const EnterAnswer = Type.Object(
  {
    admission: Type.Literal('granted'),
    reservation_token: Type.String({ description: 'the entry token, also set as the cookie' }),
    ttl_sec: Type.Integer({ description: 'how long the session lasts unless it is renewed' }),
    target: Target,
  },
  { title: 'EnterAnswer' },
);

const STATUSES = {
  absent: 'expired',
  lobby: 'waiting',
  waiting: 'waiting',
  active: 'entered',
} as const satisfies Record<Exclude<Standing['state'], 'admitted'>, Status>;
const NOWHERE = { position: null, rank: null, aheadCount: null, eta_sec: null };

export interface ClaimStatusInput {
  standing: Standing;
  crowd: Crowd;
  tickMs: number;
  now: number;
}

/** `readyStatus` is that of the room. */
export function toStatus({ state }: Standing, { readyStatus }: { readyStatus: RoomSettings['readyStatus'] }): Status {
  return state === 'admitted' ? readyStatus : STATUSES[state];
}

export function toPositionHint(standing: Standing): number | null {
  if (standing.state === 'lobby') return null;
  return standing.state === 'waiting' ? standing.position : 0;
}

export function toClaimStatus(input: ClaimStatusInput & { target: string | null }): ClaimStatus {
  const { standing, crowd, tickMs, now, target } = input;
  const common = { status: toStatus(standing, crowd.settings), ready_for_entry: standing.state === 'admitted', target };
  if (standing.state === 'lobby') return { ...common, ...toLobbyFields(standing, crowd, now) };
  if (standing.state === 'waiting') return { ...common, ...toWaitingFields(standing, crowd, tickMs, now) };
  const next_poll = nextPollSeconds(undefined);
  if (standing.state === 'absent') return { ...common, ...NOWHERE, waiting_time: null, next_poll };
  return {
    ...common,
    position: 0,
    rank: 0,
    aheadCount: 0,
    eta_sec: 0,
    ...toLotField(standing),
    waiting_time: toSeconds(standing.admittedAt - standing.joinedAt),
    ...(standing.state === 'admitted' ? { enter_by: new Date(standing.expiresAt).toISOString() } : {}),
    next_poll,
  };
}

function toLobbyFields(standing: LobbyStanding, crowd: Crowd, now: number) {
  return {
    ...NOWHERE,
    wait_reason: 'draw',
    ...toLotField(standing),
    ...toLaneField(standing),
    waiting_time: toSeconds(now - standing.joinedAt),
    next_poll: lobbyPollSeconds(standing.lot, crowd, now),
  };
}

function toLotField({ lot }: { lot?: string }): { draw_lot?: string } {
  return lot === undefined ? {} : { draw_lot: lot };
}

function toWaitingFields(standing: WaitingStanding, crowd: Crowd, tickMs: number, now: number) {
  const { position, joinedAt } = standing;
  const { estimatedWait, estimatedWaitRange, confidence, waitReason } = toWaitFields(standing, crowd, tickMs);
  return {
    position,
    rank: position - 1,
    aheadCount: position - 1,
    eta_sec: estimatedWait,
    ...(estimatedWaitRange === undefined ? {} : { eta_range: estimatedWaitRange }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(waitReason === undefined ? {} : { wait_reason: waitReason }),
    ...toLotField(standing),
    ...toLaneField(standing),
    waiting_time: toSeconds(now - joinedAt),
    next_poll: nextPollSeconds(position),
  };
}

/**
 * When a visitor who was not ready should retry: as soon as it could be their turn, but not before the room opens or
 * minWaitMs has passed; and often enough that nobody misses their time to enter.
 */
export function retryAfterSeconds({ standing, crowd, tickMs, now }: ClaimStatusInput): number {
  if (!isWaiter(standing)) return 1;
  const { admission, claimTtlMs, minWaitMs, opensAt } = crowd.settings;
  const untilOpen = opensAt === undefined ? 0 : (Date.parse(opensAt) - now) / 1000;
  const untilWaited = admission === 'claim' ? (standing.joinedAt + minWaitMs - now) / 1000 : 0;
  const soonEnough = Math.min(soonestSeconds(standing, crowd, tickMs, now), claimTtlMs / 2000);
  return Math.max(1, Math.ceil(Math.max(soonEnough, untilOpen, untilWaited)));
}

/** The earliest time, in seconds, at which the standing may change. */
function soonestSeconds(standing: WaiterStanding, crowd: Crowd, tickMs: number, now: number): number {
  if (standing.state === 'lobby') return lobbyPollSeconds(standing.lot, crowd, now);
  const { estimatedWaitRange } = toWaitFields(standing, crowd, tickMs);
  return estimatedWaitRange?.low ?? nextPollSeconds(standing.position);
}

interface WaitFields {
  estimatedWait: number | null;
  estimatedWaitRange?: { low: number; high: number };
  confidence?: number;
  waitReason?: string;
}

function toWaitFields(standing: WaitingStanding, crowd: Crowd, tickMs: number): WaitFields {
  return toPlaceFields(standing, crowd, tickMs);
}

function toSeconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000));
}
