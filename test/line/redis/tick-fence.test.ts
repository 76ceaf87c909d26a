import { describe, expect, it } from 'vitest';
import { TickFence } from '../../../src/line/store/redis/scripts/tick-fence.ts';

function createFence() {
  const time = { now: 0 };
  const warnings: string[] = [];
  const fence = new TickFence({ warn: (_: object, text?: string) => warnings.push(text ?? '') } as never, {
    now: () => time.now,
  });
  const reply = (tickedAt: number, sentAfter = fence.lastTick('concert'), epoch = 'one') =>
    fence.accepts('concert', sentAfter, { epoch, tickedAt });
  return { fence, time, warnings, reply };
}

describe('the fence of replies', () => {
  it('refuses a reply that is behind the last tick known when the call was sent', () => {
    const { reply } = createFence();
    expect([reply(1_000), reply(2_000), reply(1_000), reply(2_000)]).toEqual([true, true, false, true]);
  });

  it('accepts a reply that a newer one has overtaken', () => {
    const { fence, reply } = createFence();
    reply(1_000);
    const sentAfter = fence.lastTick('concert');
    expect([reply(2_000), reply(1_000, sentAfter)]).toEqual([true, true]);
    expect(fence.lastTick('concert')).toBe(2_000);
  });

  it('accepts the older state after 2 s in which nothing newer came, with a warning', () => {
    const { fence, time, warnings, reply } = createFence();
    reply(2_000);
    expect(reply(1_000)).toBe(false);
    time.now = 1_999;
    expect(reply(1_000)).toBe(false);
    time.now = 2_000;
    expect(reply(1_000)).toBe(true);
    expect(warnings).toHaveLength(1);
    expect(fence.lastTick('concert')).toBe(1_000);
  });

  it('counts the 2 s again when a current reply came in between', () => {
    const { time, reply } = createFence();
    reply(2_000);
    expect(reply(1_000)).toBe(false);
    expect(reply(2_000)).toBe(true);
    time.now = 5_000;
    expect(reply(1_000)).toBe(false);
  });

  it('accepts a room that was lost and created again at once', () => {
    const { reply } = createFence();
    reply(2_000);
    expect(reply(0, 2_000, 'two')).toBe(true);
  });
});
