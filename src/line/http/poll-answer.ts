/** What the poll door tells a visitor: where they stand, in the field names that its clients know. */
import { type Static, Type } from 'typebox';
import { lobbyPollSeconds, nextPollSeconds } from '../estimate/poll-schedule.ts';
import type { Crowd, Standing, WaitingStanding } from '../model/standing.ts';
import {
  addOccasional,
  countBehind,
  secondsOf,
  type ToldChange,
  toCrowdFields,
  toLobbyFields,
  toLotFields,
  toReadyFields,
  toRoomFields,
  waitAt,
} from './answer-fields.ts';

/** As an enum, not a union: a union makes the serializer try one schema after the other for every answer. */
const OneOf = <T extends string>(...values: T[]) => Type.Unsafe<T>({ type: 'string', enum: values });

const Message = Type.Object({ ko: Type.Optional(Type.String()), en: Type.Optional(Type.String()) });

export const PollAnswer = Type.Object(
  {
    status: OneOf('queued', 'active', 'not_in_queue'),
    queued: Type.Boolean(),
    number: Type.Optional(Type.Integer({ description: 'the number in line; never changes' })),
    position: Type.Optional(
      Type.Integer({
        description: '1 is next; within 1 % beyond the first 100, 2 % where there are two lanes; 0 with readyForEntry',
      }),
    ),
    lane: Type.Optional(OneOf('priority')),
    peopleAhead: Type.Optional(
      Type.Integer({ description: 'how many will be let in before, if the line stays as it is' }),
    ),
    peopleBehind: Type.Optional(Type.Integer()),
    queueSize: Type.Integer({ description: 'how many wait' }),
    estimatedWait: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'seconds; null where waitReason says why',
      }),
    ),
    estimatedWaitRange: Type.Optional(Type.Object({ low: Type.Integer(), high: Type.Integer() })),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    waitReason: Type.Optional(OneOf('not_open', 'paused', 'closed', 'no_room', 'few_left', 'sold_out', 'draw')),
    waitUntil: Type.Optional(Type.String({ description: 'with waitReason not_open: when the room opens' })),
    waitChange: Type.Optional(
      Type.Unsafe<ToldChange>({
        type: 'string',
        enum: ['slower', 'limit', 'resumed', 'lanes'],
        description: 'why the estimate may have risen in the last minute; it does not rise without',
      }),
    ),
    drawLot: Type.Optional(Type.String({ description: 'the visitor’s lot in the draw' })),
    nextPoll: Type.Integer({ description: 'seconds until the page should ask again' }),
    currentUsers: Type.Integer({ description: 'admitted and active' }),
    threshold: Type.Integer({ description: 'admitted and active at most' }),
    eventInfo: Type.Object({
      eventId: Type.String(),
      state: OneOf('not_open', 'open', 'paused', 'closed'),
      keptSeconds: Type.Integer({ description: 'how long a page may be closed without losing its place' }),
      opensAt: Type.Optional(Type.String()),
      closesAt: Type.Optional(Type.String()),
      message: Type.Optional(Message),
      priorityShare: Type.Optional(
        Type.Integer({ description: 'percent of admissions that go to members first while others wait too' }),
      ),
      soldOut: Type.Optional(Type.Boolean({ description: 'whoever waits on is first when something is given back' })),
    }),
    readyForEntry: Type.Optional(Type.Boolean({ description: 'in a claim room: POST check before enterBy enters' })),
    enterBy: Type.Optional(Type.String()),
    entryToken: Type.Optional(Type.String()),
    expiresAt: Type.Optional(Type.String({ description: 'when the session ends unless the visitor is seen again' })),
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
}

export function toPollAnswer({ eventId, standing, crowd, tickMs, now, entryToken }: PollAnswerInput): PollAnswer {
  if (standing.state === 'waiting') return toWaitingAnswer(eventId, standing, crowd, tickMs);
  const common = { ...toCrowdFields(crowd), eventInfo: toEventInfo(eventId, crowd) };
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

/** What nearly all of a crowd are told: put down at once, which takes a sixth of the time of putting it together. */
function toWaitingAnswer(eventId: string, standing: WaitingStanding, crowd: Crowd, tickMs: number): PollAnswer {
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
    eventInfo: toEventInfo(eventId, crowd),
  };
  addOccasional(answer, standing, wait, crowd.settings);
  return answer;
}

function toEventInfo(eventId: string, crowd: Crowd): PollAnswer['eventInfo'] {
  return { eventId, ...toRoomFields(crowd) };
}
