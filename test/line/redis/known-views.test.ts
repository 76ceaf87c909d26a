/** A process that has the view of a room is told of every change that another process makes to it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RedisLineStore } from '../../../src/line/store/redis/redis-line-store.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { openRedisStore } from './open-redis-store.ts';

const OPENS_AT = '2030-01-01T00:00:00Z';
let now = Date.parse(OPENS_AT) - 60_000;

/** In this order: each changes the view that the one before it left. */
const CHANGES: [string, (store: RedisLineStore) => Promise<unknown>][] = [
  ['settings', (store) => store.putRoom('tour', { maxActive: 3, followStock: true })],
  ['stock', (store) => store.putStock('tour', { left: 2, held: 0, holders: [], asOf: 1 })],
  ['stock as of the same time', (store) => store.putStock('tour', { left: 1, held: 0, holders: [], asOf: 1 })],
  ['a tick', (store) => store.tick('tour')],
  ['a second tick at the same time', (store) => store.tick('tour')],
  ['a newcomer', (store) => store.join('tour', 'late')],
  ['a visitor who leaves', (store) => store.leave('tour', 'late')],
  ['a draw', (store) => store.putRoom('tour', { order: 'draw', opensAt: OPENS_AT })],
  [
    'the beginning of the draw',
    async (store) => {
      now = Date.parse(OPENS_AT) + 1;
      await store.draw('tour');
    },
  ],
  ['another draw', (store) => store.clear('tour')],
];

describeWithRedis('the view of a room that a process has', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  it('shows what another process has changed since', async () => {
    const open = () => openRedisStore({ url: server.url }, { now: () => now });
    const [here, there] = [await open(), await open()];
    await there.putRoom('tour', { maxActive: 0 });
    await there.join('tour', 'a');
    await there.leave('tour', 'a');
    const look = async (store: RedisLineStore) => {
      const outcome = await store.find('tour', 'a');
      return 'crowd' in outcome && outcome.crowd;
    };
    let before = await look(here);
    for (const [what, change] of CHANGES) {
      await change(there);
      const after = await look(here);
      expect(after, what).toEqual((await there.findRoom('tour'))?.crowd);
      expect(await look(here), `${what}, known`).toEqual(after);
      before = after;
    }
    expect(before).toBeTruthy();
  });

  it('shows the lots of the draw that is announced now', async () => {
    const open = () => openRedisStore({ url: server.url }, { now: () => now });
    const [here, there, fresh] = [await open(), await open(), await open()];
    const opensAt = Date.parse(OPENS_AT);
    now = opensAt - 60_000;
    await there.putRoom('lots', { order: 'draw', opensAt: OPENS_AT });
    await there.join('lots', 'a');
    const before = await here.find('lots', 'a');
    now = opensAt + 1;
    await there.draw('lots');
    await there.clear('lots');
    now = opensAt - 60_000;
    await there.join('lots', 'a');
    const after = await here.find('lots', 'a');
    expect(after).toMatchObject({ standing: { state: 'lobby', lot: expect.any(String) } });
    expect(after).not.toEqual(before);
    expect(after).toEqual(await fresh.find('lots', 'a'));
  });
});
