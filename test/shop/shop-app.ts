/** The whole application with its shop on the PostgreSQL of a suite, and admitted buyers. */
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll } from 'vitest';
import { sharedPostgres } from '../support/postgres-server.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { unique } from './shop-fixture.ts';

export interface ShopApp extends TestApp {
  eventId: string;
  /** Admits a user; sends requests with their entry token. */
  buyer(user: string): Promise<Buyer>;
}

export type Buyer = (
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<LightMyRequestResponse>;

/** Each test gets its own application, line and event; they share the suite's server. */
export function shareShopDatabase(): { createShopApp: (env?: Record<string, string>) => Promise<ShopApp> } {
  let url: string;
  beforeAll(async () => {
    url = await (await sharedPostgres()).createDatabase();
  });

  return {
    async createShopApp(env = {}) {
      const app = await createTestApp({
        DATABASE_URL: url,
        LIMIT_HOLD_PER_VISITOR: '0',
        QUEUE_THRESHOLD: '100',
        ...env,
      });
      const eventId = unique('concert');
      await sellEvent(app, eventId);
      return { ...app, eventId, buyer: (user) => letIn(app, eventId, user) };
    },
  };
}

async function sellEvent({ operator }: TestApp, eventId: string): Promise<void> {
  const sections = [{ id: 'A', name: 'Front', rows: 5, seatsPerRow: 10, price: 50_000 }];
  const standing = [{ id: 'floor', name: 'Floor', quantity: 20, price: 30_000 }];
  await operator('PUT', `/api/admin/layouts/${eventId}`, { body: { name: 'Hall', sections, standing } });
  await operator('PUT', `/api/admin/events/${eventId}`, {
    body: { title: 'Concert', startsAt: '2026-06-01T10:00:00Z' },
  });
  await operator('POST', `/api/admin/events/${eventId}/seats`, { body: { layoutId: eventId } });
  const opened = await operator('POST', `/api/admin/events/${eventId}/open`);
  if (opened.statusCode !== 200) throw new Error(opened.body);
}

async function letIn({ as }: TestApp, eventId: string, user: string): Promise<Buyer> {
  const ask = as(user);
  const { entryToken } = (await ask('POST', `/api/queue/check/${eventId}`)).json();
  return (method, path, body, headers = {}) =>
    ask(method, path, {
      headers: { 'x-queue-entry-token': entryToken, ...headers },
      ...(body === undefined ? {} : { body }),
    });
}
