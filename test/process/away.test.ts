import { describe, expect, it } from 'vitest';
import { describeWithRedis } from '../support/redis-server.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { createSharedLine } from '../support/shared-line.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const SEVEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const SILENT_MS = 12_000;

describe('visitors who are not heard from, in the product', () => {
  it('do not hold up the eighth, and go in first when they are back (2, 5)', async () => {
    await playSilence(await startServer({ DATA_DIR: tempFolder() }));
  });
});

describeWithRedis('visitors who are not heard from, with line and admitter processes on Redis', () => {
  it('do not hold up the eighth, and go in first when they are back (2, 5)', async () => {
    const { start } = await createSharedLine();
    const [line] = await Promise.all([start('line,dispatcher'), start('admitter,sweeper')]);
    await playSilence(line!);
  });
});

async function playSilence(server: ServerProcess): Promise<void> {
  const put = (body: object) => server.ask('PUT', '/api/admin/rooms/concert', { operator: true, body });
  const room = async () => (await server.ask('GET', '/api/admin/rooms/concert', { operator: true })).body;
  const check = async (user: string) => (await server.ask('POST', '/api/queue/check/concert', { user })).body;
  const status = async (user: string) => (await server.ask('GET', '/api/queue/status/concert', { user })).body;
  await put({ maxActive: 50, admitPerSecond: 1, state: 'paused' });
  const numbers = new Map<string, number>();
  for (const user of [...SEVEN, 'h', 'i']) numbers.set(user, (await check(user)).number);
  // All poll at first, as pages do; then seven of nine close their laptops.
  for (const user of [...SEVEN, 'h', 'i']) await status(user);
  const silentFrom = Date.now();
  await pollUntil(['h', 'i'], status, 'the silence to be long enough', async () => Date.now() - silentFrom > SILENT_MS);

  await put({ state: 'open' });
  await pollUntil(['h', 'i'], status, 'the eighth to be inside', async () => (await status('h')).status === 'active');
  expect(await room(), 'nobody else is').toMatchObject({ active: 1, admitted: 0 });
  await pollUntil(['h', 'i'], status, 'the next to be inside', async () => (await status('i')).status === 'active');
  expect(await room()).toMatchObject({ waiting: 7, away: 7 });

  const backAt = new Map<string, number>();
  for (const user of SEVEN.toReversed()) expect(await status(user)).toMatchObject({ number: numbers.get(user) });
  expect((await check('late')).status, 'newcomers wait behind them').toBe('queued');
  await pollUntil([...SEVEN, 'late'], status, 'all to be inside', async () => {
    for (const user of [...SEVEN, 'late']) {
      if (!backAt.has(user) && (await status(user)).status === 'active') backAt.set(user, backAt.size);
    }
    return backAt.size === 8;
  });
  expect([...backAt.keys()]).toEqual([...SEVEN, 'late']);
}

/** These visitors poll as their pages do until the condition holds. */
async function pollUntil(
  present: readonly string[],
  poll: (user: string) => Promise<unknown>,
  what: string,
  holds: () => Promise<boolean>,
): Promise<void> {
  await until(what, async () => {
    await Promise.all(present.map(poll));
    return holds();
  });
}
