/** The room a first start comes with, so that there is something to try. */
import type { Rooms } from '../line/store/rooms.ts';

export const DEMO_EVENT = 'demo-concert';

/** Only into an empty store: an operator who has rooms of their own is not to find a stranger among them. */
export async function createDemoRoom(rooms: Rooms): Promise<void> {
  if ((await rooms.listRooms()).length > 0) return;
  await rooms.putRoom(DEMO_EVENT, {
    message: { ko: '곧 입장합니다. 잠시만 기다려 주세요.', en: 'You will be let in soon. Thank you for waiting.' },
  });
}
