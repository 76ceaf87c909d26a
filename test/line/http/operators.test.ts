import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../support/test-app.ts';

const room = '/api/admin/rooms/concert';

describe('the operator API', () => {
  it('creates a room, changes any subset of its settings, and lists rooms', async () => {
    const { operator } = await createTestApp();
    const created = await operator('PUT', room, { body: { maxActive: 50, admitPerSecond: 2.5 } });
    expect(created.statusCode).toBe(201);
    const changed = await operator('PUT', room, {
      body: { state: 'paused', message: { ko: '잠시만요', en: 'One moment' } },
    });
    expect(changed.statusCode).toBe(200);
    expect(changed.json()).toMatchObject({
      phase: 'paused',
      settings: { maxActive: 50, admitPerSecond: 2.5, batchSize: 100 },
      overrides: { maxActive: 50, state: 'paused', message: { ko: '잠시만요', en: 'One moment' } },
    });
    const reset = await operator('PUT', room, { body: { admitPerSecond: null, message: null, state: 'open' } });
    expect(reset.json().settings).not.toHaveProperty('admitPerSecond');
    expect((await operator('GET', '/api/admin/rooms')).json()).toEqual([(await operator('GET', room)).json()]);
    expect((await operator('GET', '/api/v1/admin/rooms/concert')).statusCode).toBe(200);
  });

  it.each([
    ['an unknown field', { maxactive: 5 }, 'maxactive', 'maxactive is not a known field'],
    ['a negative limit', { maxActive: -1 }, 'maxActive', 'maxActive must be >= 0 or must be null'],
    ['a number as text', { maxActive: '5' }, 'maxActive', 'maxActive must be integer or must be null'],
    ['a fraction', { maxActive: 1.5 }, 'maxActive', 'maxActive must be integer or must be null'],
    [
      'a state that does not exist',
      { state: 'half' },
      'state',
      'state must be "open" or must be "paused" or must be "closed" or must be null',
    ],
    [
      'a time that is none',
      { opensAt: 'tomorrow' },
      'opensAt',
      'opensAt must match format "date-time" or must be null',
    ],
    ['a language that is not shown', { message: { fr: 'Bientôt' } }, 'message.fr', 'message.fr is not a known field'],
    [
      'a message with an end that is no time',
      { message: { en: 'Soon.', until: 'tonight' } },
      'message.until',
      'message.until must match format "date-time"',
    ],
    ['a burst without a rate', { burst: 5 }, 'burst', 'burst needs admitPerSecond: set the rate that it may exceed'],
    [
      'a cap below the session',
      { activeMaxTtlMs: 1_000 },
      'activeMaxTtlMs',
      'activeMaxTtlMs (1000) must not be below activeTtlMs (600000)',
    ],
    [
      'hours that end before they begin',
      { opensAt: '2026-01-02T00:00:00Z', closesAt: '2026-01-01T00:00:00Z' },
      'closesAt',
      'closesAt must be after opensAt (2026-01-02T00:00:00Z)',
    ],
    ['nothing at all', {}, 'body', 'body must NOT have fewer than 1 properties'],
    ['a list', [], 'body', 'body must be object'],
  ])('refuses %s, names the field, and changes nothing', async (_name, body, field, message) => {
    const { operator } = await createTestApp();
    await operator('PUT', room, { body: { maxActive: 7 } });
    const before = (await operator('GET', room)).json();
    const refused = await operator('PUT', room, { body });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error).toMatchObject({ code: 'INVALID_INPUT', fields: [{ field, message }] });
    expect((await operator('GET', room)).json()).toEqual(before);
  });

  it('shows the state of a queue, sets its threshold, and clears it', async () => {
    const { operator, as } = await createTestApp();
    await operator('PUT', room, { body: { maxActive: 1 } });
    for (const user of ['a', 'b', 'c']) await as(user)('POST', '/api/queue/check/concert');
    const summary = (await operator('GET', '/api/queue/admin/concert')).json();
    expect(summary).toMatchObject({
      queueSize: 2,
      currentUsers: 1,
      threshold: 1,
      active: 1,
      admitted: 0,
      state: 'open',
    });
    const changed = await operator('PUT', '/api/queue/admin/threshold/concert', { body: { threshold: 5 } });
    expect(changed.json()).toMatchObject({ threshold: 5 });
    expect((await operator('GET', room)).json().overrides.maxActive).toBe(5);
    const cleared = await operator('POST', '/api/queue/admin/clear/concert');
    expect(cleared.json()).toEqual({ eventId: 'concert', waiting: 2, inside: 1 });
    expect((await operator('GET', '/api/queue/admin/concert')).json()).toMatchObject({ queueSize: 0, currentUsers: 0 });
  });

  it('responds 404 for rooms that were not created', async () => {
    const { operator } = await createTestApp();
    const body = { threshold: 5 };
    for (const answer of [
      await operator('GET', '/api/admin/rooms/other'),
      await operator('GET', '/api/queue/admin/other'),
      await operator('PUT', '/api/queue/admin/threshold/other', { body }),
      await operator('POST', '/api/queue/admin/clear/other'),
    ]) {
      expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'EVENT_NOT_FOUND']);
    }
    expect((await operator('GET', '/api/admin/rooms')).json()).toEqual([]);
  });

  it('requires an operator on every endpoint', async () => {
    const { anyone, as, userToken, operator } = await createTestApp();
    await operator('PUT', room, { body: { maxActive: 1 } });
    const requests = [
      ['GET', '/api/admin/rooms'],
      ['GET', room],
      ['PUT', room],
      ['GET', '/api/queue/admin/concert'],
      ['PUT', '/api/queue/admin/threshold/concert'],
      ['POST', '/api/queue/admin/clear/concert'],
    ] as const;
    for (const [method, url] of requests) {
      for (const ask of [anyone, as('a')]) {
        const refused = await ask(method, url, { headers: { cookie: `fairline-session=${userToken('a')}` } });
        expect([refused.statusCode, refused.json().error.code]).toEqual([401, 'OPERATOR_ONLY']);
      }
    }
  });

  it('writes each change to the audit trail, which only its owner can read', async () => {
    const { operator, dataDir } = await createTestApp();
    const headers = { 'x-request-id': 'trace-1' };
    await operator('PUT', room, { body: { maxActive: 7 } });
    await operator('PUT', room, { body: { maxActive: 8 }, headers });
    await operator('PUT', '/api/queue/admin/threshold/concert', { body: { threshold: 9 } });
    await operator('POST', '/api/queue/admin/clear/concert');
    await operator('PUT', room, { body: { maxActive: -1 } });
    const path = join(dataDir, 'audit.jsonl');
    const trail = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(trail.map(({ action }) => action)).toEqual(['create room', 'change room', 'set threshold', 'clear queue']);
    expect(trail[1]).toEqual({
      seq: 2,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      at: '2026-01-01T00:00:00.000Z',
      action: 'change room',
      by: 'admin-token',
      eventId: 'concert',
      from: '127.0.0.1',
      traceId: 'trace-1',
      details: { change: { maxActive: 8 }, before: { maxActive: 7 } },
    });
    expect(statSync(path).mode & 0o077).toBe(0);
  });
});
