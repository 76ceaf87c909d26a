import { describe, expect, it } from 'vitest';
import { runAdmitterOnce } from '../../../src/line/roles/admitter.ts';
import { createTestApp } from '../../support/test-app.ts';

/** Five wait; a, b and c are not heard from, and a slot comes free. */
async function passOverThree() {
  const test = await createTestApp();
  const { context, clock, operator } = test;
  const put = (body: object) => operator('PUT', '/api/admin/rooms/concert', { body });
  const check = async (user: string) => (await test.as(user)('POST', '/api/queue/check/concert')).json();
  const status = async (user: string) => (await test.as(user)('GET', '/api/queue/status/concert')).json();
  const live = async (seconds: number, present: string[]) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      for (const user of present) await status(user);
      await runAdmitterOnce({ ...context.line, metrics: context.lineMetrics });
    }
  };
  await put({ maxActive: 1, admitPerSecond: 0.5, expectedStayMs: 60_000 });
  await check('inside');
  for (const user of ['a', 'b', 'c', 'd', 'e']) await check(user);
  await live(13, ['inside', 'd', 'e']);
  await put({ maxActive: 2 });
  await live(2, ['inside', 'd', 'e']);
  const metric = async (name: string) => (await context.registry.getSingleMetric(name)!.get()).values[0]?.value;
  return { ...test, check, status, live, metric };
}

describe('visitors who are away', () => {
  it('are in nobody’s figures, and no cause for an alarm', async () => {
    const { status, operator, metric } = await passOverThree();
    expect(await status('d')).toMatchObject({ status: 'active' });
    const second = await status('e');
    expect(second).toMatchObject({ number: 6, position: 1, peopleAhead: 0, peopleBehind: 0, queueSize: 1 });
    expect(second).not.toHaveProperty('waitChange');
    expect((await operator('GET', '/api/admin/rooms/concert')).json()).toMatchObject({ waiting: 4, away: 3 });
    expect((await operator('GET', '/api/admin/overview')).json().rooms[0]).toMatchObject({ waiting: 4, away: 3 });
    expect(await metric('fairline_away')).toBe(3);
    expect(await metric('fairline_passed_over_total')).toBe(3);
  });

  it('raise positions when they are back, and every door says why for a minute', async () => {
    const { status, live, metric } = await passOverThree();
    const before = await status('e');
    for (const user of ['c', 'a']) await status(user);
    expect(await status('a')).toMatchObject({ number: 2, position: 1 });
    expect(await status('c')).toMatchObject({ number: 4, position: 2 });
    const after = await status('e');
    expect(after).toMatchObject({ position: 3, queueSize: 3, waitChange: 'returned' });
    expect(after.estimatedWait).toBeGreaterThan(before.estimatedWait);
    await live(30, ['inside', 'd', 'a', 'c', 'e']);
    expect(await status('e')).toMatchObject({ waitChange: 'returned' });
    await live(31, ['inside', 'd', 'a', 'c', 'e']);
    expect((await status('e')).waitChange).not.toBe('returned');
    expect(await metric('fairline_returned_total')).toBe(2);
  });
});
