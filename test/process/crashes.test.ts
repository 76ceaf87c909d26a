import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithRedis } from '../support/redis-server.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { createSharedLine, setRoom, tokenIdOf } from '../support/shared-line.ts';
import { until } from '../support/until.ts';

const where = '{concert}:where';
const instances = 'queue:instances';

const inside = async (server: ServerProcess) => {
  const { body } = await server.ask('GET', '/api/admin/rooms/concert', { operator: true });
  return body.admitted + body.active;
};
const hintsOf = async (server: ServerProcess) =>
  Number(/^fairline_hints_total (\d+)$/m.exec((await server.ask('GET', '/metrics')).body)?.[1]);

describeWithRedis('streams of several processes', () => {
  it('receive an admission made in another process, through the dispatcher', async () => {
    const { start } = await createSharedLine();
    const [line, other] = await Promise.all([start('line'), start('line'), start('admitter'), start('dispatcher')]);
    await setRoom(other, { maxActive: 0 });
    const stream = await line.watch('concert', 'a');
    await stream.waitFor('position');
    await setRoom(other, { maxActive: 1 });
    await stream.waitFor('admitted');
    await until('the hint to be counted', async () => (await hintsOf(line)) === 1);
    expect(await hintsOf(other)).toBe(0);
  });

  it('receive a change of the room within 2 seconds, like visitors who poll', async () => {
    const { start } = await createSharedLine({ QUEUE_ADMISSION_INTERVAL_MS: '1000' });
    const [line, other] = await Promise.all([start('line'), start('line'), start('admitter')]);
    await setRoom(other, { maxActive: 0 });
    const stream = await line.watch('concert', 'a');
    await stream.waitFor('position');
    const poll = () => line.ask('GET', '/api/queue/status/concert', { user: 'a' });
    await poll();
    const seen = stream.events.length;
    const startedAt = performance.now();
    await setRoom(other, { state: 'paused', maxActive: 7 });
    const polled = until('the poll', async () => (await poll()).body.threshold === 7);
    expect((await stream.waitFor('room', seen)).data.state).toBe('paused');
    await polled;
    expect(performance.now() - startedAt).toBeLessThan(2_500);
  });

  it('keep the admission of a visitor whose process was killed before it was delivered (6)', async () => {
    const { redis, start } = await createSharedLine();
    const [one, two] = await Promise.all([start('line'), start('line'), start('admitter,dispatcher,reaper')]);
    await setRoom(two, { maxActive: 0 });
    const stream = await one.watch('concert', 'a');
    await stream.waitFor('position');
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const dead = await until('the stream to be registered', async () => (await client.hget(where, 'a')) ?? undefined);
    one.freeze();
    await setRoom(two, { maxActive: 1 });
    await until('the admission', async () => (await inside(two)) === 1);
    await one.kill('SIGKILL');
    await until('the stream to break', () => stream.hasEnded());
    expect(stream.events.map(({ name }) => name)).not.toContain('admitted');

    const again = await two.watch('concert', 'a');
    const { data } = await again.waitFor('admitted');
    expect(again.events.map(({ name }) => name)).toEqual(['room', 'admitted']);
    expect(tokenIdOf(data.entryToken)).toBe(`${await client.hget('{concert}:room', 'epoch')}.1`);
    await until('the dead instance to be removed', async () => !(await client.smembers(instances)).includes(dead));
    await until(
      'the visitor to be registered at the other process',
      async () => (await client.hget(where, 'a')) !== dead,
    );
  });

  it('receive an admission without a dispatcher, and sooner once one is started', async () => {
    const { start } = await createSharedLine();
    const [line, , dispatcher] = await Promise.all([start('line'), start('admitter'), start('dispatcher')]);
    await setRoom(line!, { maxActive: 0 });
    const streams = [await line!.watch('concert', 'a'), await line!.watch('concert', 'b')];
    for (const stream of streams) await stream.waitFor('position');
    await dispatcher!.kill('SIGKILL');
    await setRoom(line!, { maxActive: 1 });
    const startedAt = performance.now();
    await streams[0]!.waitFor('admitted');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await hintsOf(line!)).toBe(0);
    await start('dispatcher');
    await setRoom(line!, { maxActive: 2 });
    await streams[1]!.waitFor('admitted');
    await until('the hint', async () => (await hintsOf(line!)) > 0);
  });

  it('survive a restart of Redis with every place and token id', async () => {
    const { redis, start } = await createSharedLine();
    const [line] = await Promise.all([start('line'), start('admitter,sweeper,dispatcher,reaper')]);
    await setRoom(line!, { maxActive: 1 });
    const insider = await line!.watch('concert', 'insider');
    const before = tokenIdOf((await insider.waitFor('admitted')).data.entryToken);
    const waiter = await line!.watch('concert', 'waiter');
    const { number } = (await waiter.waitFor('position')).data;
    await redis.kill();
    await until('the outage to be noticed', async () => (await line!.ask('GET', '/ready')).status === 503);
    await redis.start();
    await until('the process to be ready', async () => (await line!.ask('GET', '/ready')).status === 200);
    await setRoom(line!, { maxActive: 2 });
    const { data } = await waiter.waitFor('admitted');
    expect(tokenIdOf(data.entryToken)).toMatch(new RegExp(`\\.${number}$`));
    const again = await line!.watch('concert', 'insider');
    expect(tokenIdOf((await again.waitFor('admitted')).data.entryToken)).toBe(before);
    expect([insider.hasEnded(), waiter.hasEnded()]).toEqual([false, false]);
  });
});
