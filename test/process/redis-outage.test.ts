import { expect, it } from 'vitest';
import { describeWithRedis, type RedisServer } from '../support/redis-server.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { createSharedLine, setRoom } from '../support/shared-line.ts';
import { until } from '../support/until.ts';

const check = '/api/queue/check/concert';
const status = '/api/queue/status/concert';

interface Outage {
  begin: (redis: RedisServer) => unknown;
  end: (redis: RedisServer) => unknown;
}

const outages: [string, Outage][] = [
  ['killed', { begin: (redis) => redis.kill(), end: (redis) => redis.start() }],
  ['hanging', { begin: (redis) => redis.pause(), end: (redis) => redis.resume() }],
];

describeWithRedis('while Redis is unavailable', () => {
  it.each(outages)('(%s) joins are refused, polls keep working, and all processes recover', async (_how, outage) => {
    const { redis, start } = await createSharedLine();
    const [line, roles] = await Promise.all([start('line'), start('admitter,sweeper,dispatcher,reaper')]);
    await setRoom(line!, { maxActive: 0 });
    for (const user of ['a', 'b']) await line!.ask('POST', check, { user });
    const poll = () => line!.ask('GET', status, { user: 'b' });
    expect((await poll()).body).toMatchObject({ number: 2, position: 2 });

    await outage.begin(redis);
    await until('the processes to report it', () => bothAre([line!, roles!], 503));
    const { body } = await line!.ask('GET', '/ready');
    expect(body.error).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('Redis') });
    const refused = await line!.ask('POST', check, { user: 'c' });
    expect([refused.status, refused.body.error.code]).toEqual([503, 'STORE_UNAVAILABLE']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    for (let i = 0; i < 20; i += 1)
      expect(await poll()).toMatchObject({ status: 200, body: { number: 2, position: 2 } });
    expect((await line!.ask('GET', '/health')).status).toBe(200);
    expect((await line!.ask('GET', '/metrics')).status).toBe(200);

    await outage.end(redis);
    await until('the processes to be ready', () => bothAre([line!, roles!], 200));
    expect((await line!.ask('POST', check, { user: 'c' })).body).toMatchObject({ number: 3 });
    await setRoom(line!, { maxActive: 2 });
    await until('the head to be admitted', async () => (await poll()).body.status === 'active');
    for (const server of [line!, roles!]) expect(await server.kill('SIGTERM')).toBe(0);
  });
});

async function bothAre(servers: ServerProcess[], code: number): Promise<boolean> {
  const answers = await Promise.all(servers.map((server) => server.ask('GET', '/ready')));
  return answers.every((answer) => answer.status === code);
}
