/** Adds to an event what follows from the time and from its room: its phase, the waiting list, the refund deadline. */
import type { Room, Rooms } from '../../line/store/rooms.ts';
import type { ShopEvent } from '../event-store.ts';
import { phaseOf, ticketsLeft } from '../rules/event-phase.ts';
import { refundDeadline } from '../rules/refund.ts';
import type { EventAnswer } from './event-answer.ts';

export interface EventAnswers {
  one(event: ShopEvent): Promise<EventAnswer>;
  all(events: readonly ShopEvent[]): Promise<EventAnswer[]>;
}

export interface EventAnswersOptions {
  rooms: Pick<Rooms, 'findRoom' | 'listRooms'>;
  refundUntilHours: number;
  now: () => number;
}

export function createEventAnswers({ rooms, refundUntilHours, now }: EventAnswersOptions): EventAnswers {
  const toAnswer = (event: ShopEvent, room: Room | undefined): EventAnswer => {
    const roomPhase = room?.crowd.phase;
    const isPaused = roomPhase === 'paused' || roomPhase === 'closed';
    return {
      ...event,
      phase: phaseOf({ ...event, left: ticketsLeft(event), isPaused }, now()),
      waitingList: room?.crowd.settings.followStock === true,
      refundUntil: new Date(refundDeadline(Date.parse(event.startsAt), refundUntilHours)).toISOString(),
    };
  };
  return {
    // An event is shown while the store of the line is away, without what its room says.
    one: async (event) => toAnswer(event, await rooms.findRoom(event.eventId).catch(() => undefined)),
    async all(events) {
      const found = await rooms.listRooms().catch(() => []);
      const byId = new Map(found.map((room) => [room.eventId, room]));
      return events.map((event) => toAnswer(event, byId.get(event.eventId)));
    },
  };
}
