import { describe, expect, it } from 'vitest';
import { recomputeDraw } from '../../support/recompute-draw.ts';
import { createTestApp } from '../../support/test-app.ts';
import { finishDraw } from '../draw-contract.ts';

async function openDrawRoom() {
  const test = await createTestApp();
  const opensAt = new Date(test.clock.now() + 60_000).toISOString();
  const made = await test.operator('PUT', '/api/admin/rooms/concert', {
    body: { order: 'draw', opensAt, maxActive: 1 },
  });
  expect(made.statusCode).toBe(201);
  return { ...test, opensAt };
}

async function holdDraw({ clock, context }: Awaited<ReturnType<typeof openDrawRoom>>) {
  clock.advance(60_000);
  await finishDraw(context.line.draws, 'concert');
}

describe('the draw over HTTP', () => {
  it('gives visitors in the lobby a lot, but no number, position or waiting time', async () => {
    const { as, opensAt } = await openDrawRoom();
    const joined = (await as('ann')('POST', '/api/queue/check/concert')).json();
    expect(joined).toMatchObject({
      status: 'queued',
      queued: true,
      queueSize: 1,
      estimatedWait: null,
      waitReason: 'draw',
      drawLot: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventInfo: { state: 'not_open', opensAt },
    });
    for (const field of ['number', 'position', 'peopleAhead', 'estimatedWaitRange'])
      expect(joined).not.toHaveProperty(field);
    expect((await as('ann')('GET', '/api/queue/status/concert')).json()).toEqual(joined);
  });

  it('lets pages in the lobby poll rarely at first, and shortly after the draw in the end', async () => {
    const { as, clock } = await openDrawRoom();
    const ask = async () => (await as('ann')('POST', '/api/queue/check/concert')).json().nextPoll;
    expect(await ask()).toBe(30);
    clock.advance(30_000);
    expect(await ask()).toBe(10);
    clock.advance(20_000);
    expect(await ask()).toBeGreaterThanOrEqual(12);
    clock.advance(10_000);
    expect(await ask()).toBeLessThanOrEqual(3);
  });

  it.each(['/api', '/api/v1'])(
    'publishes the commitment before the draw and everything after it, under %s',
    async (prefix) => {
      const test = await openDrawRoom();
      const { as, anyone, context, opensAt } = test;
      const before = await anyone('GET', `${prefix}/rooms/concert/draw`);
      expect(before.headers['cache-control']).toBe('public, max-age=1');
      expect(before.json()).toEqual({
        eventId: 'concert',
        order: 'draw',
        state: 'announced',
        opensAt,
        commitment: expect.stringMatching(/^[0-9a-f]{64}$/),
        rule: expect.stringContaining('SHA-256'),
      });
      expect((await anyone('GET', `${prefix}/rooms/concert/draw/entries`)).json().error.code).toBe('DRAW_NOT_DONE');
      for (const user of ['ann', 'bob', 'eve']) await as(user)('POST', '/api/queue/check/concert');
      await holdDraw(test);
      const after = (await anyone('GET', `${prefix}/rooms/concert/draw`)).json();
      expect(after).toMatchObject({ state: 'drawn', commitment: before.json().commitment, entries: 3, firstNumber: 1 });
      const list = await anyone('GET', after.entriesUrl);
      expect(list.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const numbers = recomputeDraw(after, list.body.trimEnd().split('\n'));
      await context.line.rooms.putRoom('concert', { maxActive: 0 });
      for (const user of ['ann', 'bob', 'eve']) {
        const standing = (await as(user)('GET', '/api/queue/status/concert')).json();
        expect(numbers.get(standing.drawLot)).toBe(standing.number);
      }
    },
  );

  it('serves a list by its hash, and no other', async () => {
    const test = await openDrawRoom();
    await test.as('ann')('POST', '/api/queue/check/concert');
    await holdDraw(test);
    const url = '/api/rooms/concert/draw/entries';
    expect((await test.anyone('GET', `${url}?listHash=${'0'.repeat(64)}`)).statusCode).toBe(404);
    expect((await test.anyone('GET', `${url}?listHash=short`)).json().error.code).toBe('INVALID_INPUT');
    expect((await test.anyone('GET', url)).headers['cache-control']).toBe('public, max-age=1');
  });

  it('responds 404 if the room has no draw or does not exist', async () => {
    const { anyone, operator } = await openDrawRoom();
    await operator('PUT', '/api/admin/rooms/plain', { body: { maxActive: 1 } });
    expect((await anyone('GET', '/api/rooms/plain/draw')).json().error.code).toBe('NO_DRAW');
    expect((await anyone('GET', '/api/rooms/unknown/draw')).json().error.code).toBe('EVENT_NOT_FOUND');
  });

  it('tells operators why a change is refused, and never reveals the seed before the draw', async () => {
    const test = await openDrawRoom();
    const { as, operator, anyone } = test;
    await as('ann')('POST', '/api/queue/check/concert');
    const refused = await operator('PUT', '/api/admin/rooms/concert', { body: { order: 'fifo' } });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.fields).toMatchObject([
      { field: 'order', message: 'order cannot be changed while visitors wait (1 now); clear the room first' },
    ]);
    const answers = [
      await operator('GET', '/api/admin/rooms/concert'),
      await operator('GET', '/api/admin/rooms'),
      await operator('GET', '/api/queue/admin/concert'),
      await anyone('GET', '/metrics'),
      await anyone('GET', '/api/rooms/concert/draw'),
    ].map(({ body }) => body);
    await holdDraw(test);
    const { seed } = (await anyone('GET', '/api/rooms/concert/draw')).json();
    for (const body of answers) expect(body).not.toContain(seed);
  });
});
