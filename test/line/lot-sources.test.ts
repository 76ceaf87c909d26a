import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LotSource, LotSources } from '../../src/line/store/lot-sources.ts';
import { createMemoryLotSources } from '../../src/line/store/memory/memory-lot-sources.ts';
import { createRedisLotSources } from '../../src/line/store/redis/redis-lot-sources.ts';
import { createRedisClient } from '../../src/platform/redis/connect.ts';
import { awaitReady } from '../../src/platform/redis/connection.ts';
import { describeWithRedis, startRedis } from '../support/redis-server.ts';

function describeLotSources(name: string, open: (mostAddresses?: number) => LotSources): void {
  const lot = (address: string, at: number, lots = 1): LotSource => ({ address, lots, from: at, to: at });
  let rooms = 0;
  const newRoom = () => {
    rooms += 1;
    return `draw-${rooms}`;
  };

  describe(`lot sources ${name}`, () => {
    it('add up by address, with the time of the first and the last lot', async () => {
      const [sources, room] = [open(), newRoom()];
      await sources.add(room, [lot('a', 100, 2), lot('b', 150)]);
      await sources.add(room, [lot('a', 300, 3)]);
      expect(await sources.find(room)).toEqual({
        lots: 6,
        addresses: 2,
        singles: 1,
        largest: [
          { address: 'a', lots: 5, from: 100, to: 300 },
          { address: 'b', lots: 1, from: 150, to: 150 },
        ],
      });
      expect(await sources.find(newRoom())).toEqual({ lots: 0, addresses: 0, singles: 0, largest: [] });
    });

    it('keep the addresses with the most lots when there are too many', async () => {
      const [sources, room] = [open(100), newRoom()];
      await sources.add(room, [lot('burst', 1, 5)]);
      for (let i = 0; i < 5; i += 1) {
        await sources.add(
          room,
          Array.from({ length: 50 }, (_, k) => lot(`single-${i}-${k}`, 2)),
        );
        await sources.add(room, [lot('burst', 3 + i, 5)]);
      }
      const report = await sources.find(room);
      expect(report).toMatchObject({ lots: 280, addresses: 251, singles: 250 });
      expect(report.largest[0]).toEqual({ address: 'burst', lots: 30, from: 1, to: 7 });
      expect(report.largest).toHaveLength(20);
    });

    it('are forgotten on request', async () => {
      const [sources, room] = [open(), newRoom()];
      await sources.add(room, [lot('a', 1)]);
      await sources.forget(room);
      expect((await sources.find(room)).lots).toBe(0);
    });
  });
}

describeLotSources('in memory', createMemoryLotSources);

describeWithRedis('on a Redis server', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let client: ReturnType<typeof createRedisClient>;
  beforeAll(async () => {
    server = await startRedis();
    client = createRedisClient({ url: server.url });
    await awaitReady(client);
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });
  describeLotSources('in Redis', (most) => createRedisLotSources(client, most));
});
