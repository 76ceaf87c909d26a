import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithRedis } from '../support/redis-server.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { createSharedLine, setRoom, tokenIdOf } from '../support/shared-line.ts';

const VISITORS = 5_000;
const THRESHOLD = 100;
/** How many of those at the head ask at a time. */
const ASKING = 150;

const check = '/api/queue/check/concert';

describeWithRedis('two line and two admitter processes on one Redis', () => {
  it('let 5,000 visitors in by their numbers, each once, never more than 100 at a time (1, 2, 3, 4)', async () => {
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
    const tokenIds = await letThrough(numbers, [one, two]);

    const insides = await sampling.stop();
    expect(Math.max(...insides)).toBe(THRESHOLD);
    expect(insides.length).toBeGreaterThan(100);
    expect(tokenIds.size, 'every visitor was let in, each with a token of their own').toBe(VISITORS);
    const admitted = await observer.xrange('{concert}:entry', '-', '+');
    const order = admitted.map(([, fields]) => Number(fields[fields.indexOf('number') + 1]));
    // The first found the room empty and went straight in.
    const queued = [...numbers.values()].sort((a, b) => a - b).slice(THRESHOLD);
    expect(order).toEqual(queued);
    const room = (await two.ask('GET', '/api/admin/rooms/concert', { operator: true })).body;
    expect(room).toMatchObject({ waiting: 0, admitted: 0, active: 0 });
  });
});

/** The numbers that visitors got, who all come at once and through both processes. */
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

/** Everyone asks until they are inside, through whichever process, and then leaves. The token ids that they got. */
async function letThrough(numbers: Map<string, number>, servers: ServerProcess[]): Promise<Set<string>> {
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
    const still = await Promise.all(outside.slice(0, ASKING).map(visit));
    outside = [...still.filter((user) => user !== undefined), ...outside.slice(ASKING)];
  }
  return tokenIds;
}

/** How many were inside, admitted or active, as often as Redis can tell. */
function sampleInside(observer: Redis) {
  const insides: number[] = [];
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) insides.push(await observer.zcard('{concert}:active'));
  })();
  return {
    async stop(): Promise<number[]> {
      isOver = true;
      await sampling;
      return insides;
    },
  };
}
