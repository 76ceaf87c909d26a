import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithRedis } from '../support/redis-server.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { createSharedLine, setRoom, tokenIdOf } from '../support/shared-line.ts';

const VISITORS = 5_000;
const THRESHOLD = 100;
/** How many visitors at the head poll at a time. */
const POLLING = 150;

const check = '/api/queue/check/concert';

describeWithRedis('two line and two admitter processes on one Redis', () => {
  it('admit 5,000 visitors by number, each once, never more than 100 inside (1, 2, 3, 4)', async () => {
    const { redis, start } = await createSharedLine();
    const [one, two] = await Promise.all([
      start('line,dispatcher'),
      start('line,sweeper'),
      start('admitter,reaper'),
      start('admitter'),
    ]);
    await setRoom(one, { maxActive: THRESHOLD });
    const observer = new Redis(redis.url);
    onTestFinished(() => observer.disconnect());
    const sampling = sampleInside(observer);

    const numbers = await joinAll([one, two]);
    expect(new Set(numbers.values()).size).toBe(VISITORS);
    const tokenIds = await pollAll(numbers, [one, two]);

    const insides = await sampling.stop();
    expect(insides.most).toBe(THRESHOLD);
    expect(insides.samples).toBeGreaterThan(100);
    expect(tokenIds.size, 'every visitor was admitted, each with a different token').toBe(VISITORS);
    const admitted = await observer.xrange('{concert}:entry', '-', '+');
    const order = admitted.map(([, fields]) => Number(fields[fields.indexOf('number') + 1]));
    // The first visitors found the room empty and were admitted directly.
    const queued = [...numbers.values()].sort((a, b) => a - b).slice(THRESHOLD);
    expect(order).toEqual(queued);
    const room = (await two.ask('GET', '/api/admin/rooms/concert', { operator: true })).body;
    expect(room).toMatchObject({ waiting: 0, admitted: 0, active: 0 });
  });
});

/** All visitors join at once, through both processes; returns their numbers. */
async function joinAll(servers: ServerProcess[]): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  const join = async (i: number) => {
    const user = `user-${i}`;
    const { status, body } = await servers[i % servers.length]!.ask('POST', check, { user });
    expect(status).toBe(200);
    numbers.set(user, body.number);
  };
  await Promise.all(Array.from({ length: VISITORS }, (_, i) => join(i)));
  return numbers;
}

/** Everyone polls both processes until they are inside, then leaves; returns the token ids. */
async function pollAll(numbers: Map<string, number>, servers: ServerProcess[]): Promise<Set<string>> {
  let outside = [...numbers.keys()].sort((a, b) => numbers.get(a)! - numbers.get(b)!);
  const tokenIds = new Set<string>();
  for (let round = 0; outside.length > 0; round += 1) {
    const visit = async (user: string, i: number) => {
      const server = servers[(round + i) % servers.length]!;
      const { body } = await server.ask('GET', '/api/queue/status/concert', { user });
      expect(body.number, `the place of ${user}`).toBe(numbers.get(user));
      if (body.status !== 'active') return user;
      tokenIds.add(tokenIdOf(body.entryToken));
      await server.ask('POST', '/api/queue/leave/concert', { user });
      return undefined;
    };
    const still = await Promise.all(outside.slice(0, POLLING).map(visit));
    outside = [...still.filter((user) => user !== undefined), ...outside.slice(POLLING)];
  }
  return tokenIds;
}

/** Samples how many visitors are inside, as fast as Redis responds. */
function sampleInside(observer: Redis) {
  const insides = { most: 0, samples: 0 };
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      insides.most = Math.max(insides.most, await observer.zcard('{concert}:active'));
      insides.samples += 1;
    }
  })();
  return {
    async stop(): Promise<typeof insides> {
      isOver = true;
      await sampling;
      return insides;
    },
  };
}
