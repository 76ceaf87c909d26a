/** The response of the poll door, and the fields that the claim and stream doors share with it. */
import { type Static, Type } from 'typebox';
import {
  estimateWait,
  lobbyPollSeconds,
  nextPollSeconds,
  type RiseReason,
  type UnknownWait,
  type WaitEstimate,
} from '../estimate/estimate.ts';
import { messageAt, type Phase, type RoomSettings } from '../model/room-settings.ts';
import type { Crowd, InsideStanding, Standing, WaiterStanding, WaitingStanding } from '../model/standing.ts';

/** As an enum, not a union: for a union the serializer tries one schema after the other. */
export const OneOf = <T extends string>(...values: T[]) => Type.Unsafe<T>({ type: 'string', enum: values });

/** In the responses of all doors. */
export const Target = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description:
    'where to go once admitted: `to` of the request if it is a page of this site, else the target of the room or of all rooms; null if there is none',
});

const Message = Type.Object({ ko: Type.Optional(Type.String()), en: Type.Optional(Type.String()) });

export const PollAnswer = Type.Object(
  {
    status: OneOf('queued', 'active', 'not_in_queue'),
    queued: Type.Boolean(),
    number: Type.Optional(Type.Integer({ description: 'the number in line; never changes' })),
    position: Type.Optional(
      Type.Integer({
        description:
          '1 is next; exact for the first 100, then within 1 %, within 2 % with two lanes; 0 with readyForEntry',
      }),
    ),
    lane: Type.Optional(OneOf('priority')),
    peopleAhead: Type.Optional(
      Type.Integer({ description: 'how many are admitted before, if the line stays as it is' }),
    ),
    peopleBehind: Type.Optional(Type.Integer()),
    queueSize: Type.Integer({ description: 'how many wait; without those who are away' }),
    estimatedWait: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'seconds; null if unknown, see waitReason',
      }),
    ),
    estimatedWaitRange: Type.Optional(Type.Object({ low: Type.Integer(), high: Type.Integer() })),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    waitReason: Type.Optional(OneOf('not_open', 'paused', 'closed', 'no_room', 'few_left', 'sold_out', 'draw')),
    waitUntil: Type.Optional(Type.String({ description: 'with waitReason not_open: when the room opens' })),
    waitChange: Type.Optional(
      Type.Unsafe<ShownChange>({
        type: 'string',
        enum: ['slower', 'limit', 'resumed', 'returned', 'site', 'lanes'],
        description: 'why this visitor waits longer than a minute ago; absent if they do not',
      }),
    ),
    removed: Type.Optional(
      Type.Boolean({ description: 'with not_in_queue: an operator ended the place; joining again is possible' }),
    ),
    drawLot: Type.Optional(Type.String({ description: 'the lot of the visitor in the draw' })),
    nextPoll: Type.Integer({ description: 'seconds until the page should poll again' }),
    currentUsers: Type.Integer({ description: 'admitted and active visitors' }),
    threshold: Type.Integer({ description: 'the limit of admitted and active visitors' }),
    eventInfo: Type.Object({
      eventId: Type.String(),
      title: Type.Optional(Type.String({ description: 'of the event, if it is sold here' })),
      artist: Type.Optional(Type.String()),
      state: OneOf('not_open', 'open', 'paused', 'closed'),
      keptSeconds: Type.Integer({ description: 'how long a page may be closed without losing its place' }),
      opensAt: Type.Optional(Type.String()),
      closesAt: Type.Optional(Type.String()),
      message: Type.Optional(Message),
      priorityShare: Type.Optional(
        Type.Integer({ description: 'percent of admissions reserved for the priority lane while both lanes wait' }),
      ),
      soldOut: Type.Optional(
        Type.Boolean({ description: 'everything is sold; those who stay in line are first if something is returned' }),
      ),
    }),
    readyForEntry: Type.Optional(Type.Boolean({ description: 'in a claim room: POST check before enterBy enters' })),
    enterBy: Type.Optional(Type.String()),
    entryToken: Type.Optional(Type.String()),
    expiresAt: Type.Optional(Type.String({ description: 'when the session ends unless the visitor is seen again' })),
    target: Target,
  },
  { title: 'PollAnswer' },
);
export type PollAnswer = Static<typeof PollAnswer>;

export interface PollAnswerInput {
  eventId: string;
  standing: Standing;
  crowd: Crowd;
  tickMs: number;
  now: number;
  entryToken: string | undefined;
  target: string | null;
}

export function toPollAnswer(input: PollAnswerInput): PollAnswer {
  const { eventId, standing, crowd, now, entryToken, target } = input;
  if (standing.state === 'waiting') return toWaitingAnswer(standing, input);
  const common = { ...toCrowdFields(crowd), eventInfo: { eventId, ...toRoomFields(crowd, now) }, target };
  if (standing.state === 'absent') {
    return { status: 'not_in_queue', queued: false, nextPoll: nextPollSeconds(undefined), ...common };
  }
  if (standing.state === 'lobby') {
    const nextPoll = lobbyPollSeconds(standing.lot, crowd, now);
    return { status: 'queued', queued: true, nextPoll, ...toLobbyFields(standing), ...common };
  }
  if (standing.state === 'admitted') {
    const nextPoll = nextPollSeconds(undefined);
    const ready = { ...toReadyFields(standing), ...toLotFields(standing) };
    return { status: 'queued', queued: true, nextPoll, ...ready, ...common };
  }
  return {
    status: 'active',
    queued: false,
    number: standing.number,
    ...toLotFields(standing),
    nextPoll: nextPollSeconds(undefined),
    ...common,
    ...(entryToken === undefined ? {} : { entryToken }),
    expiresAt: new Date(standing.expiresAt).toISOString(),
  };
}

/** The most frequent response. One object literal takes a sixth of the time of spreading several. */
function toWaitingAnswer(
  standing: WaitingStanding,
  { eventId, crowd, tickMs, now, target }: PollAnswerInput,
): PollAnswer {
  const { number, position } = standing;
  const { queueSize, currentUsers, threshold } = toCrowdFields(crowd);
  const wait = waitAt(position, crowd, tickMs);
  const answer: PollAnswer = {
    status: 'queued',
    queued: true,
    number,
    position,
    peopleAhead: position - 1,
    peopleBehind: countBehind(position, crowd),
    estimatedWait: secondsOf(wait),
    nextPoll: nextPollSeconds(position),
    queueSize,
    currentUsers,
    threshold,
    eventInfo: { eventId, ...toRoomFields(crowd, now) },
    target,
  };
  addOptionalFields(answer, standing, wait, crowd.settings);
  return answer;
}

/** About the line as a whole: the same for every visitor. */
export function toCrowdFields({ waiting, away, admitted, active, settings }: Crowd) {
  return { queueSize: waiting - away, currentUsers: admitted + active, threshold: settings.maxActive };
}

interface PlaceFields extends OptionalPlaceFields {
  number: number;
  position: number;
  peopleAhead: number;
  peopleBehind: number;
  /** In seconds; null if unknown, see waitReason. */
  estimatedWait: number | null;
}

interface OptionalPlaceFields {
  lane?: 'priority';
  drawLot?: string;
  estimatedWaitRange?: { low: number; high: number };
  confidence?: number;
  waitChange?: ShownChange;
  waitReason?: UnknownWait['reason'] | 'draw';
  waitUntil?: string;
}

type StandingInLine = { number: number; position: number; lot?: string } & LaneField;
type LaneField = { lane?: WaiterStanding['lane'] | undefined };
/** `lanes`: members may have joined, who go first for a share of the admissions. */
type ShownChange = RiseReason | 'lanes';

/** About a place in line. */
export function toPlaceFields(standing: StandingInLine, crowd: Crowd, tickMs: number): PlaceFields {
  const { number, position } = standing;
  const wait = waitAt(position, crowd, tickMs);
  const place: PlaceFields = {
    number,
    position,
    peopleAhead: position - 1,
    peopleBehind: countBehind(position, crowd),
    estimatedWait: secondsOf(wait),
  };
  addOptionalFields(place, standing, wait, crowd.settings);
  return place;
}

/** About a place in the lobby, which gets its number when the room opens. */
export function toLobbyFields({ lot, lane }: { lot: string } & LaneField) {
  return { drawLot: lot, ...toLaneField({ lane }), estimatedWait: null, waitReason: 'draw' as const };
}

/** About the place of a visitor who may enter. */
export function toReadyFields({ number, expiresAt }: InsideStanding) {
  const enterBy = new Date(expiresAt).toISOString();
  return { number, position: 0, peopleAhead: 0, estimatedWait: 0, readyForEntry: true, enterBy };
}

/** Only the priority lane is named. */
export function toLaneField({ lane }: LaneField): { lane?: 'priority' } {
  return lane === undefined ? {} : { lane };
}

function toLotFields({ lot }: { lot?: string }): { drawLot?: string } {
  return lot === undefined ? {} : { drawLot: lot };
}

function waitAt(position: number, crowd: Crowd, tickMs: number): WaitEstimate {
  const { phase, settings, pace, returnedAt, stock, health } = crowd;
  const inside = crowd.admitted + crowd.active;
  return estimateWait({ position, phase, settings, inside, pace, returnedAt, stock, health, tickMs });
}

function countBehind(position: number, { waiting, away }: Crowd): number {
  return Math.max(0, waiting - away - position);
}

function secondsOf(wait: WaitEstimate): number | null {
  return wait.known ? wait.seconds : null;
}

function addOptionalFields(
  place: OptionalPlaceFields,
  { lane, lot }: StandingInLine,
  wait: WaitEstimate,
  { opensAt, priorityShare }: RoomSettings,
): void {
  if (lane !== undefined) place.lane = lane;
  if (lot !== undefined) place.drawLot = lot;
  if (wait.known) {
    place.estimatedWaitRange = { low: wait.low, high: wait.high };
    place.confidence = wait.confidence;
    const change = wait.change ?? (priorityShare > 0 ? 'lanes' : undefined);
    if (change !== undefined) place.waitChange = change;
  } else {
    place.waitReason = wait.reason;
    if (wait.reason === 'not_open' && opensAt !== undefined) place.waitUntil = opensAt;
  }
}

interface RoomFields {
  state: Phase;
  opensAt?: string;
  closesAt?: string;
  message?: NonNullable<ReturnType<typeof messageAt>>;
  /** Absent in a room without a priority lane. */
  priorityShare?: number;
  soldOut?: true;
  keptSeconds: number;
}

/** About the room: its state and hours, the operator's message, whether everything is sold. */
export function toRoomFields({ phase, settings, stock }: Crowd, now: number): RoomFields {
  const keptMs = Math.min(settings.disconnectGraceMs, settings.seenTtlMs);
  const fields: RoomFields = { state: phase, keptSeconds: Math.floor(keptMs / 1000) };
  if (settings.opensAt !== undefined) fields.opensAt = settings.opensAt;
  if (settings.closesAt !== undefined) fields.closesAt = settings.closesAt;
  const message = messageAt(settings, now);
  if (message !== undefined) fields.message = message;
  if (settings.priorityShare > 0) fields.priorityShare = settings.priorityShare;
  if (settings.followStock && stock?.isSoldOut) fields.soldOut = true;
  return fields;
}
