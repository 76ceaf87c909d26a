/** What the claim door tells a visitor, in the field names that its clients know. */
import { type Static, Type } from 'typebox';
import { toPlaceFields } from './answer-fields.ts';
import type { Crowd, Standing, WaitingStanding } from './line-store.ts';
import { nextPollSeconds } from './poll-schedule.ts';

/** As an enum, not a union: a union makes the serializer try one schema after the other for every answer. */
const OneOf = <T extends string>(...values: T[]) => Type.Unsafe<T>({ type: 'string', enum: values });
const OrNull = (about: string) => Type.Unsafe<number | null>({ type: ['integer', 'null'], description: about });

const Status = OneOf('waiting', 'ready', 'entered', 'expired');
type Status = Static<typeof Status>;

export const JoinAnswer = Type.Object(
  {
    waiting_token: Type.Optional(Type.String({ description: 'a signed place; absent where the place is gone' })),
    position_hint: Type.Integer({ description: '1 is next; 0 for who need not wait' }),
    status: Status,
  },
  { title: 'JoinAnswer' },
);
export type JoinAnswer = Static<typeof JoinAnswer>;

export const ClaimStatus = Type.Object(
  {
    status: Status,
    position: OrNull('1 is next; within 1 % beyond the first 100; 0 once it is their turn'),
    rank: OrNull('how many stand before, counted from 0'),
    aheadCount: OrNull('the same as rank'),
    eta_sec: OrNull('seconds; null where wait_reason says why, or where there is nothing to wait for'),
    eta_range: Type.Optional(Type.Object({ low: Type.Integer(), high: Type.Integer() })),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    wait_reason: Type.Optional(Type.String({ description: 'why there is no honest time' })),
    waiting_time: OrNull('seconds waited, until now or until it was their turn'),
    ready_for_entry: Type.Boolean({ description: 'true: entering before enter_by is granted' }),
    enter_by: Type.Optional(Type.String({ description: 'when the promise ends' })),
    next_poll: Type.Integer({ description: 'seconds until the page should ask again' }),
  },
  { title: 'ClaimStatus' },
);
export type ClaimStatus = Static<typeof ClaimStatus>;

export const EnterAnswer = Type.Object(
  {
    admission: Type.Literal('granted'),
    reservation_token: Type.String({ description: 'the entry token, also set as the cookie' }),
    ttl_sec: Type.Integer({ description: 'how long the session lasts unless it is prolonged' }),
  },
  { title: 'EnterAnswer' },
);

export interface ClaimStatusInput {
  standing: Standing;
  crowd: Crowd;
  tickMs: number;
  now: number;
}

export function toStatus({ state }: Standing): Status {
  const statuses = { absent: 'expired', waiting: 'waiting', admitted: 'ready', active: 'entered' } as const;
  return statuses[state];
}

export function toPositionHint(standing: Standing): number {
  return standing.state === 'waiting' ? standing.position : 0;
}

export function toClaimStatus({ standing, crowd, tickMs, now }: ClaimStatusInput): ClaimStatus {
  const common = { status: toStatus(standing), ready_for_entry: standing.state === 'admitted' };
  if (standing.state === 'waiting') return { ...common, ...toWaitingFields(standing, crowd, tickMs, now) };
  const next_poll = nextPollSeconds(undefined);
  if (standing.state === 'absent') {
    return { ...common, position: null, rank: null, aheadCount: null, eta_sec: null, waiting_time: null, next_poll };
  }
  return {
    ...common,
    position: 0,
    rank: 0,
    aheadCount: 0,
    eta_sec: 0,
    waiting_time: toSeconds(standing.admittedAt - standing.joinedAt),
    ...(standing.state === 'admitted' ? { enter_by: new Date(standing.expiresAt).toISOString() } : {}),
    next_poll,
  };
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
    waiting_time: toSeconds(now - joinedAt),
    next_poll: nextPollSeconds(position),
  };
}

/**
 * When whoever was not ready should ask to enter again: when it is likely their turn, or the room opens, but not before
 * they have waited as long as the room wants. Where nobody knows, as soon as they would poll.
 */
export function retryAfterSeconds({ standing, crowd, tickMs, now }: ClaimStatusInput): number {
  if (standing.state !== 'waiting') return 1;
  const { admission, minWaitMs, opensAt } = crowd.settings;
  const { estimatedWait } = toWaitFields(standing, crowd, tickMs);
  const untilOpen = opensAt === undefined ? 0 : (Date.parse(opensAt) - now) / 1000;
  const stillToWait = admission === 'claim' ? (standing.joinedAt + minWaitMs - now) / 1000 : 0;
  const likely = estimatedWait ?? Math.max(untilOpen, nextPollSeconds(standing.position));
  return Math.max(1, Math.ceil(Math.max(likely, stillToWait)));
}

/** The fields about time as every door has them, whichever of them there are. */
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
