/** The demo room that a first start creates. */
import type { Rooms } from '../line/store/rooms.ts';

export const DEMO_EVENT = 'demo-concert';

/** Only in an empty store: never added to an operator's own rooms. */
export async function createDemoRoom(rooms: Rooms): Promise<void> {
  if ((await rooms.listRooms()).length > 0) return;
  await rooms.putRoom(DEMO_EVENT, {
    message: { ko: '잠시 후 순서대로 입장합니다.', en: 'You will be admitted soon. Thank you for waiting.' },
  });
}
