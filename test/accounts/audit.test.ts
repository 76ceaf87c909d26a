/** The audit trail as operators read it. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { latestEntries } from '../../src/identity/audit-entries.ts';
import { createTestApp } from '../support/test-app.ts';

const line = (action: string, eventId?: string) =>
  JSON.stringify({ at: '2026-01-01T00:00:00.000Z', action, eventId, from: 'x', traceId: 't', details: {} });

describe('the latest entries of the trail', () => {
  it('come newest first, up to the limit', () => {
    const text = `${[1, 2, 3].map((n) => line(`change ${n}`)).join('\n')}\n`;
    expect(latestEntries(text, { limit: 2 }).map(({ action }) => action)).toEqual(['change 3', 'change 2']);
  });

  it('are filtered by event', () => {
    const text = [line('a', 'concert'), line('b', 'play'), line('c')].join('\n');
    expect(latestEntries(text, { limit: 9, eventId: 'concert' }).map(({ action }) => action)).toEqual(['a']);
  });

  it('skip a truncated line at either end', () => {
    const text = [line('a').slice(20), line('b'), line('c').slice(0, 20)].join('\n');
    expect(latestEntries(text, { limit: 9 }).map(({ action }) => action)).toEqual(['b']);
  });
});

describe('GET /api/admin/audit', () => {
  it('shows changes to operators only', async () => {
    const { operator, anyone } = await createTestApp();
    expect((await operator('GET', '/api/admin/audit')).json()).toEqual([]);
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 7 } });
    await operator('PUT', '/api/admin/rooms/play', { body: { maxActive: 8 } });
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 9 } });
    const all = (await operator('GET', '/api/admin/audit')).json();
    expect(all.map(({ eventId }: { eventId: string }) => eventId)).toEqual(['concert', 'play', 'concert']);
    const some = (await operator('GET', '/api/admin/audit?eventId=concert&limit=1')).json();
    expect(some).toMatchObject([
      { action: 'change room', by: 'admin-token', details: { change: { maxActive: 9 }, before: { maxActive: 7 } } },
    ]);
    expect((await anyone('GET', '/api/admin/audit')).statusCode).toBe(401);
  });

  it('reads only the end of a long trail', async () => {
    const { operator, dataDir } = await createTestApp();
    const many = `${line('old')}\n${`${line('change', 'concert')}\n`.repeat(20_000)}`;
    appendFileSync(join(dataDir, 'audit.jsonl'), many);
    expect((await operator('GET', '/api/admin/audit?limit=200')).json()).toHaveLength(200);
    expect((await operator('GET', '/api/admin/audit?eventId=play')).json()).toEqual([]);
  });

  it('refuses an invalid limit and names the allowed range', async () => {
    const { operator } = await createTestApp();
    for (const limit of ['0', '201', '-1', 'many', '1e2']) {
      const refused = await operator('GET', `/api/admin/audit?limit=${limit}`);
      expect(refused.statusCode).toBe(400);
      const problem = { field: 'limit', message: 'limit must be a whole number, 1 to 200' };
      expect(refused.json().error.fields).toMatchObject([problem]);
    }
  });
});
