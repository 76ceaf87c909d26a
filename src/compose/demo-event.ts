/** The demo event that a first start puts on sale. */

import type { EventStore } from '../shop/event-store.ts';
import { DEMO_EVENT } from './demo-room.ts';

const LAYOUT = {
  name: '소극장 Small Hall',
  sections: [
    { id: 'L', name: '왼쪽 Left', rows: 12, seatsPerRow: 12, price: 77_000 },
    { id: 'A', name: '1층 Stalls', rows: 12, seatsPerRow: 24, price: 110_000 },
    { id: 'R', name: '오른쪽 Right', rows: 12, seatsPerRow: 12, price: 77_000 },
    { id: 'B', name: '2층 Balcony', rows: 8, seatsPerRow: 54, price: 55_000 },
  ],
  standing: [{ id: 'floor', name: '스탠딩 Standing', quantity: 100, price: 66_000 }],
};
const DAYS_AHEAD = 30;

/** Only in an empty shop: never added to an operator's own events. */
export async function createDemoEvent(events: EventStore): Promise<void> {
  if ((await events.listEvents()).length > 0 || (await events.findEvent(DEMO_EVENT)) !== undefined) return;
  const startsAt = new Date(Date.now() + DAYS_AHEAD * 86_400_000);
  // 19:30 in Seoul, which has no summer time.
  startsAt.setUTCHours(10, 30, 0, 0);
  await events.putLayout(DEMO_EVENT, LAYOUT);
  await events.putEvent(DEMO_EVENT, {
    title: '데모 콘서트 Demo concert',
    artist: 'The Queues',
    venue: '소극장 Small Hall',
    description:
      '모든 기능을 체험해 볼 수 있는 데모 공연입니다. 실제로 결제되지 않습니다.\nA demo event to try everything with. No money is charged.',
    startsAt: startsAt.toISOString(),
    timeZone: 'Asia/Seoul',
  });
  await events.generateSeats(DEMO_EVENT, DEMO_EVENT);
  await events.openEvent(DEMO_EVENT);
}
