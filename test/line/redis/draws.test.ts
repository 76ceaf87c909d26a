import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { DrawResult } from '../../../src/line/store/draws.ts';
import type { LineStore } from '../../../src/line/store/line-store.ts';
import { StoreUnavailableError } from '../../../src/platform/store-unavailable-error.ts';
import { startLossyProxy } from '../../support/lossy-proxy.ts';
import { recomputeDraw } from '../../support/recompute-draw.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { finishDraw } from '../draw-contract.ts';
import { expectLargeDraw, fixedSecrets } from '../large-draw.ts';
import { openRedisStore } from './open-redis-store.ts';

const VISITORS = 1_200;

describeWithRedis('draws in Redis', () => {
  let server: RedisServer;
  let now = Date.UTC(2026, 0, 1);
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  const open = () => openRedisStore(server, { now: () => now });

  async function fillLobby(store: LineStore, eventId: string): Promise<void> {
    await store.putRoom(eventId, { order: 'draw', opensAt: new Date(now + 60_000).toISOString(), maxActive: 0 });
    await Promise.all(Array.from({ length: VISITORS }, (_, i) => store.join(eventId, `v${i}`)));
    now += 60_000;
  }

  async function expectWhole(store: LineStore, eventId: string): Promise<void> {
    const draw = (await store.findDraw(eventId)) as DrawResult;
    expect(draw).toMatchObject({ phase: 'drawn', entries: VISITORS });
    const list = (await store.readDrawEntries(eventId, 0, VISITORS)).toString('hex').match(/.{32}/g)!;
    const numbers = recomputeDraw(draw, list);
    const found = await Promise.all(Array.from({ length: VISITORS }, (_, i) => store.find(eventId, `v${i}`)));
    for (const each of found) {
      if (each.outcome !== 'found' || each.standing.state !== 'waiting') throw new Error('expected a waiter');
      expect(each.standing.number).toBe(numbers.get(each.standing.lot!));
    }
    expect((await store.findRoom(eventId))?.crowd.waiting).toBe(VISITORS);
  }

  it('gives the same numbers when another process takes over after any step', async () => {
    const [first, second] = [await open(), await open()];
    let isDone = false;
    let steps = 0;
    for (; !isDone; steps += 1) {
      const eventId = `cut-off-${steps}`;
      await fillLobby(first, eventId);
      for (let step = 0; step <= steps && !isDone; step += 1) {
        isDone = (await first.draw(eventId)).outcome === 'drawn';
      }
      const successor = steps % 2 === 0 ? second : await open();
      await finishDraw(successor, eventId);
      await expectWhole(successor, eventId);
    }
    expect(steps).toBeGreaterThan(6);
  });

  it('is safe when several processes draw at once', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    await fillLobby(stores[0]!, 'at-once');
    await Promise.all(stores.map((store) => finishDraw(store, 'at-once')));
    await expectWhole(stores[1]!, 'at-once');
  });

  it.each([2, 3, 5])('gives everyone the number of their lot when every %d. reply is lost (3, 8)', async (k) => {
    const direct = await open();
    await fillLobby(direct, `lossy-${k}`);
    const proxy = await startLossyProxy(server.port);
    onTestFinished(() => proxy.close());
    const store = await openRedisStore({ url: `redis://127.0.0.1:${proxy.port}` }, { now: () => now });
    proxy.loseEach(k, 'evalsha');
    for (let outcome = ''; outcome !== 'drawn'; ) {
      outcome = await store.draw(`lossy-${k}`).then(
        (step) => step.outcome,
        async (error) => {
          if (!(error instanceof StoreUnavailableError)) throw error;
          await new Promise((resolve) => setTimeout(resolve, 5));
          return 'lost';
        },
      );
    }
    proxy.loseEach(0, '');
    expect(proxy.lost).toBeGreaterThan(0);
    await expectWhole(direct, `lossy-${k}`);
  });

  it('keeps 16 bytes per lot after the draw, and nothing after clearing the room', async () => {
    const store = await open();
    const client = new Redis(server.url);
    onTestFinished(() => client.disconnect());
    await fillLobby(store, 'keys');
    await finishDraw(store, 'keys');
    expect(await client.strlen('{keys}:entries')).toBe(16 * VISITORS);
    expect(await client.exists('{keys}:lobby', '{keys}:lobby-seen', '{keys}:present')).toBe(0);
    await store.clear('keys');
    expect(await client.exists('{keys}:entries')).toBe(0);
  });

  it('a draw among 100,000 is what anyone recomputes, independent of when one joined, bound to its seed', async () => {
    const store = await openRedisStore(server, { now: () => now, createSecrets: fixedSecrets });
    await expectLargeDraw(store, now, (ms) => {
      now += ms;
    });
  }, 180_000);
});
