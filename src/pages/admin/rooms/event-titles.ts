/** The titles of the shop's events: operators know an event by its title, and a room only has its id. */

import type { ShopEvent } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';

/** By event id; empty without a shop. */
export async function readEventTitles({ api, facts }: Pick<Desk, 'api' | 'facts'>): Promise<Map<string, string>> {
  const answer = facts.hasShop ? await api.get<ShopEvent[]>('/api/admin/events') : undefined;
  return new Map(answer?.ok ? answer.body.map(({ eventId, title }) => [eventId, title]) : []);
}
