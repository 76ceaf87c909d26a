/** The demo event that a first start puts on sale. */

import type { EventStore } from '../shop/event-store.ts';
import { DEMO_EVENT } from './demo-room.ts';

const LAYOUT = {
  name: 'Small hall',
  sections: [
    { id: 'L', name: 'Left', rows: 12, seatsPerRow: 12, price: 77_000 },
    { id: 'A', name: 'Stalls', rows: 12, seatsPerRow: 24, price: 110_000 },
    { id: 'R', name: 'Right', rows: 12, seatsPerRow: 12, price: 77_000 },
    { id: 'B', name: 'Balcony', rows: 8, seatsPerRow: 54, price: 55_000 },
  ],
  standing: [{ id: 'floor', name: 'Standing', quantity: 100, price: 66_000 }],
};
const DAYS_AHEAD = 30;

/** Only in an empty shop: never added to an operator's own events. */
export async function createDemoEvent(events: EventStore): Promise<void> {
  if ((await events.listEvents()).length > 0 || (await events.findEvent(DEMO_EVENT)) !== undefined) return;
  const startsAt = new Date(Date.now() + DAYS_AHEAD * 86_400_000);
  startsAt.setHours(19, 30, 0, 0);
  await events.putLayout(DEMO_EVENT, LAYOUT);
  await events.putEvent(DEMO_EVENT, {
    title: 'Demo concert',
    artist: 'The Queues',
    venue: 'Small hall',
    description: 'A demo event to try everything with. No money is charged.',
    startsAt: startsAt.toISOString(),
  });
  await events.generateSeats(DEMO_EVENT, DEMO_EVENT);
  await events.openEvent(DEMO_EVENT);
}
