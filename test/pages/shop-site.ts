/** The running program with its shop on a PostgreSQL shared by the suite, with a new event on sale per test. */
import { beforeAll } from 'vitest';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import type { LayoutBody } from '../../src/shop/rules/layout.ts';
import { sharedPostgres } from '../support/postgres-server.ts';
import { type RunningApp, runApp } from '../support/running-app.ts';

export interface ShopSite extends RunningApp {
  eventId: string;
}

export interface ShopSiteOptions {
  room?: RoomChange;
  layout?: LayoutBody;
  env?: Record<string, string>;
  maxPerPerson?: number;
}

export const LAYOUT: LayoutBody = {
  name: 'Hall',
  sections: [
    { id: 'A', name: 'Front', rows: 4, seatsPerRow: 6, price: 90_000 },
    { id: 'B', name: 'Back', rows: 3, seatsPerRow: 8, price: 60_000 },
  ],
  standing: [{ id: 'floor', name: 'Floor', quantity: 20, price: 30_000 }],
};

let count = 0;

export function shareShopDatabase(): { openSite: (options?: ShopSiteOptions) => Promise<ShopSite> } {
  let url: string;
  beforeAll(async () => {
    url = await (await sharedPostgres()).createDatabase();
  });

  return {
    async openSite({ room = {}, layout = LAYOUT, env = {}, maxPerPerson = 4 } = {}) {
      const running = await runApp({
        env: { SHOP: 'on', DATABASE_URL: url, LIMIT_HOLD_PER_VISITOR: '0', LIMIT_PAYMENT_PER_VISITOR: '0', ...env },
      });
      count += 1;
      const eventId = `show-${count}`;
      const { events } = running.context.shop!;
      await running.context.line.rooms.putRoom(eventId, { maxActive: 100, ...room });
      await events.putLayout(eventId, layout);
      await events.putEvent(eventId, {
        title: 'Spring night',
        artist: 'The Band',
        venue: 'Seoul Hall',
        startsAt: '2100-05-01T10:00:00Z',
        maxPerPerson,
      });
      await events.generateSeats(eventId, eventId);
      await events.openEvent(eventId);
      return { ...running, eventId };
    },
  };
}
