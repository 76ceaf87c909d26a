import { describe, expect, it } from 'vitest';
import { startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const JOINS = 10_000;
const KILL_AFTER = 4_000;
const check = '/api/queue/check/concert';

describe('kill -9', () => {
  it('during 10,000 joins loses no acknowledged place and gives no number twice', async () => {
    const env = { DATA_DIR: tempFolder() };
    const server = await startServer(env);
    await server.ask('PUT', '/api/admin/rooms/concert', { operator: true, body: { maxActive: 0 } });
    const acknowledged = new Map<string, number>();
    let killed: Promise<unknown> | undefined;
    const join = async (user: string) => {
      const { body } = await server.ask('POST', check, { user });
      acknowledged.set(user, body.number);
      if (acknowledged.size === KILL_AFTER) killed = server.kill('SIGKILL');
    };
    const joins = Array.from({ length: JOINS }, (_, i) => join(`user-${i}`));
    const results = await Promise.allSettled(joins);
    await killed;
    expect(
      results.some(({ status }) => status === 'rejected'),
      'some joins were cut off',
    ).toBe(true);
    expect(acknowledged.size).toBeGreaterThanOrEqual(KILL_AFTER);

    const again = await startServer(env);
    const found = await Promise.all(
      [...acknowledged.keys()].map(async (user) => {
        const { body } = await again.ask('GET', '/api/queue/status/concert', { user });
        return { user, number: body.number as number, position: body.position as number };
      }),
    );
    for (const { user, number } of found) expect(number, `the place of ${user}`).toBe(acknowledged.get(user));
    const byNumber = [...found].sort((a, b) => a.number - b.number);
    const positions = byNumber.map(({ position }) => position);
    expect(positions, 'the order is that of the numbers').toEqual([...positions].sort((a, b) => a - b));
    expect(new Set(acknowledged.values()).size).toBe(acknowledged.size);

    const newcomers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => again.ask('POST', check, { user: `late-${i}` })),
    );
    const largest = Math.max(...acknowledged.values());
    for (const { body } of newcomers) expect(body.number).toBeGreaterThan(largest);
    const waiting = (await again.ask('GET', '/api/admin/rooms/concert', { operator: true })).body.waiting;
    expect(waiting).toBeGreaterThanOrEqual(acknowledged.size + 100);
    expect(await again.kill('SIGTERM')).toBe(0);
  });

  it('between admissions keeps every admission and its token id', async () => {
    const env = { DATA_DIR: tempFolder(), QUEUE_ADMISSION_INTERVAL_MS: '20' };
    const server = await startServer(env);
    await server.ask('PUT', '/api/admin/rooms/concert', { operator: true, body: { maxActive: 3 } });
    const users = Array.from({ length: 10 }, (_, i) => `user-${i}`);
    for (const user of users) await server.ask('POST', check, { user });
    await server.ask('POST', '/api/queue/leave/concert', { user: 'user-0' });
    const idOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).jti;
    const active = async (from: typeof server) => {
      const answers = await Promise.all(users.map((user) => from.ask('GET', '/api/queue/status/concert', { user })));
      return answers.flatMap(({ body }) => (body.entryToken === undefined ? [] : [idOf(body.entryToken)]));
    };
    await expect.poll(() => active(server)).toHaveLength(3);
    const before = await active(server);
    await server.kill('SIGKILL');
    const again = await startServer(env);
    expect(await active(again)).toEqual(before);
    await again.kill('SIGKILL');
  });
});
