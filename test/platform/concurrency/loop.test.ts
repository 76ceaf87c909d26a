import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type PassOutcome, startLoop } from '../../../src/platform/concurrency/loop.ts';
import { Wake } from '../../../src/platform/concurrency/wake.ts';

const log = pino({ level: 'silent' });

/** A loop whose passes end as listed, the last one for ever. */
function start(wake: Wake | undefined, outcomes: PassOutcome[], onPass: (no: number) => void = () => {}) {
  const rests = wake === undefined ? undefined : vi.spyOn(wake, 'rest');
  let passes = 0;
  const runOnce = async () => {
    passes += 1;
    onPass(passes);
    return outcomes[Math.min(passes, outcomes.length) - 1]!;
  };
  const loop = startLoop({ name: 'test', intervalMs: 1, wake, longestRestMs: 3_600_000, runOnce, log });
  onTestFinished(() => loop.stop());
  return { passes: () => passes, rests, stop: () => loop.stop() };
}

it('rests when there is nothing to do, and goes on when it is woken', async () => {
  const wake = new Wake();
  const { passes, rests } = start(wake, ['done', 'idle']);
  await vi.waitFor(() => expect(rests).toHaveBeenCalledTimes(1));
  expect(passes()).toBe(2);
  wake.call();
  await vi.waitFor(() => expect(rests).toHaveBeenCalledTimes(2));
  expect(passes()).toBe(3);
});

it('does not miss work that arrives while a pass finds nothing', async () => {
  const wake = new Wake();
  const { passes } = start(wake, ['idle'], (no) => {
    if (no === 1) wake.call();
  });
  await vi.waitFor(() => expect(passes()).toBe(2));
});

it('wakes the loops that share its work after a pass that did some', async () => {
  const wake = new Wake();
  const other = start(wake, ['idle']);
  await vi.waitFor(() => expect(other.rests).toHaveBeenCalled());
  start(wake, ['again', 'idle']);
  await vi.waitFor(() => expect(other.passes()).toBe(2));
});

it('never rests without a wake', async () => {
  const { passes } = start(undefined, ['idle']);
  await vi.waitFor(() => expect(passes()).toBeGreaterThan(3));
});

it('stops while it rests', async () => {
  const { rests, stop } = start(new Wake(), ['idle']);
  await vi.waitFor(() => expect(rests).toHaveBeenCalled());
  await stop();
});

it('looks again after the longest rest, if nobody has woken it', async () => {
  const wake = new Wake();
  await wake.rest(wake.calls, 1, new AbortController().signal);
  expect(wake.calls).toBe(0);
});
