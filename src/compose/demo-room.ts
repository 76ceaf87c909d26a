/** The demo room that a first start creates. */
import type { LineStore } from '../line/store/line-store.ts';

export const DEMO_EVENT = 'demo-concert';

/** Only in an empty store: never added to an operator's own rooms. */
export async function createDemoRoom(store: LineStore): Promise<void> {
  if ((await store.listRooms()).length > 0) return;
  await store.putRoom(DEMO_EVENT, {
    message: { ko: '잠시 후 순서대로 입장합니다.', en: 'You will be admitted soon. Thank you for waiting.' },
  });
}
