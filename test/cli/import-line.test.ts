/** Moves lines of other systems from a real Redis into a running instance. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { importLine } from '../../src/cli/import-line.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { type RunningApp, startApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';

describeWithRedis('fairline import-line', () => {
  /** As CodeNBug's users sign in, so that the import has to sign as they do. */
  const users = { AUTH_USER_CLAIM: 'userId', AUTH_REQUIRED_CLAIMS: 'role=USER', AUTH_ALGORITHMS: 'HS512' };
  const dataDir = mkdtempSync(join(tmpdir(), 'fairline-import-'));
  let redis: RedisServer;
  let app: RunningApp;
  beforeAll(async () => {
    redis = await startRedis();
    app = await startApp({ env: { ...secrets, ...users }, dataDir });
    for (const [name, value] of Object.entries({ ...secrets, ...users })) vi.stubEnv(name, value);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await app.stop();
    await redis.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  const add = (key: string, ...scored: (string | number)[]) =>
    execFileSync('redis-cli', ['-p', `${redis.port}`, 'ZADD', key, ...scored.map(String)], { timeout: 10_000 });
  const open = (eventId: string, state: 'open' | 'paused' = 'paused') =>
    app.context.line.rooms.putRoom(eventId, { state, maxActive: 5 });
  const run = async (eventId: string, ...more: string[]) => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const terminal = { print, fail: print, overwrite: undefined, columns: 80 };
    const args = ['--from', redis.url, '--event', eventId, '--url', app.url, ...more];
    return { code: await importLine.run(args, terminal), printed };
  };
  const positionOf = async (eventId: string, user: string) => {
    const found = await app.context.line.visits.find(eventId, user);
    return found.outcome === 'found' && found.standing.state === 'waiting' ? found.standing.position : undefined;
  };

  it('moves a line of URR in its order, and does so again without moving anyone', async () => {
    await open('spring');
    // Two came in the same millisecond: Redis orders them by name.
    add('{spring}:queue', 1_700_000_000_500, 'bob', 1_700_000_000_100, 'eve', 1_700_000_000_500, 'ann');
    expect((await run('spring')).printed).toEqual([
      '3 users of {spring}:queue are in the line spring, in their order.',
    ]);
    await run('spring');
    const positions = await Promise.all(['eve', 'ann', 'bob'].map((user) => positionOf('spring', user)));
    expect(positions).toEqual([1, 2, 3]);
  });

  it('moves a line of CodeNBug behind a user who is here already', async () => {
    await open('42');
    await app.context.line.visits.join('42', 'user-7');
    const member = (userId: string | number) => JSON.stringify({ userId });
    add('WAITING:42', 2, member('user-2'), 10, member('user-7'), 1, member(1));
    const { printed } = await run('42', '--system', 'codenbug');
    expect(printed.at(-1)).toBe('1 of them had joined here before, and kept that place.');
    const positions = await Promise.all(['user-7', '1', 'user-2'].map((user) => positionOf('42', user)));
    expect(positions).toEqual([1, 2, 3]);
  });

  it('stops at a room that admits: nobody may be inside who did not come', async () => {
    await open('busy', 'open');
    add('{busy}:queue', 1, 'ann');
    await expect(run('busy')).rejects.toThrow(/Pause it/);
  });

  it('stops before the first user at something that is no such line', async () => {
    await open('odd');
    add('WAITING:odd', 1, 'ann', 2, JSON.stringify({ userId: 'bob' }));
    await expect(run('odd', '--system', 'codenbug')).rejects.toThrow(/not the line of codenbug/);
    expect(await positionOf('odd', 'bob')).toBeUndefined();
  });

  it('needs to know whose line and where', async () => {
    await expect(importLine.run([], {} as never)).rejects.toThrow(/--from and --event/);
  });
});
