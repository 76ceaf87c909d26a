import { expect, it } from 'vitest';
import { ActiveEvents } from '../../src/gate/lookups/active-events.ts';
import { createTestClock } from '../support/test-clock.ts';

it('lets no request wait for a line that does not answer, and waits again once it does', async () => {
  const clock = createTestClock();
  let answer: () => Promise<string[]> = async () => ['concert'];
  const events = new ActiveEvents({ list: () => answer(), now: () => clock.now() });
  await events.refresh();
  clock.advance(3_000);
  answer = async () => {
    throw new Error('timed out');
  };
  await events.refresh();
  let hang = (_events: string[]): void => {};
  answer = () => new Promise((resolve) => (hang = resolve));
  clock.advance(3_000);
  expect(events.refresh(), 'starts a lookup that nobody waits for').toBeUndefined();
  expect(events.has('concert')).toBe(true);
  hang(['other']);
  await new Promise((resolve) => setImmediate(resolve));
  expect([events.has('concert'), events.has('other')]).toEqual([false, true]);
  clock.advance(3_000);
  expect(events.refresh()).toBeInstanceOf(Promise);
  hang(['other']);
});
