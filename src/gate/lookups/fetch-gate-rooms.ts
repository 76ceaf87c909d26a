/** Fetches from an instance what its rooms want of gates. Uses no Node APIs. */
import type { LineClient } from './line-client.ts';
import type { FailOpenSetting, GateRoom, GateRooms } from './line-watch.ts';

export const GATE_ROOMS_PATH = '/gate/rooms';

export async function fetchGateRooms(client: LineClient, revision: string | undefined): Promise<GateRooms | undefined> {
  const query = revision === undefined ? '' : `?revision=${encodeURIComponent(revision)}`;
  const answer = (await client('GET', `${GATE_ROOMS_PATH}${query}`)) as Partial<GateRooms> | undefined;
  if (answer === undefined) return undefined;
  if (typeof answer.revision !== 'string' || !Array.isArray(answer.rooms)) {
    throw new Error(`${GATE_ROOMS_PATH} has no rooms`);
  }
  return { revision: answer.revision, rooms: answer.rooms.flatMap(toRoom) };
}

/** An instance of another version may send more, or something else: what is not understood is left out. */
function toRoom({ eventId, failOpen, followsHealth, slowMs }: Partial<GateRoom>): GateRoom[] {
  if (typeof eventId !== 'string') return [];
  const room = { eventId, followsHealth: followsHealth === true, ...(typeof slowMs === 'number' ? { slowMs } : {}) };
  return [isFailOpen(failOpen) ? { ...room, failOpen } : room];
}

function isFailOpen(setting: Partial<FailOpenSetting> | undefined): setting is FailOpenSetting {
  const { afterSeconds, forMinutes, perSecond } = setting ?? {};
  return [afterSeconds, forMinutes, perSecond].every((value) => typeof value === 'number' && value > 0);
}
