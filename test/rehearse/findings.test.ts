import { describe, expect, it } from 'vitest';
import { Findings, newStory, type Story } from '../../src/rehearse/findings.ts';
import { countInversions, PASSED_OVER_AFTER_MS } from '../../src/rehearse/order.ts';
import { findTarget, isPrivate } from '../../src/rehearse/target.ts';

const story = (number: number, facts: Partial<Story> = {}): Story => ({
  ...newStory(),
  number,
  joinSentAt: number * 10,
  joinAnsweredAt: number * 10 + 5,
  ...facts,
});

describe('inversions', () => {
  it('are 0 when visitors are admitted by number, several at a time', () => {
    const stories = [1, 2, 3, 4].map((n) => story(n, { admittedAtSeconds: Math.ceil(n / 2), insideAt: n * 100 }));
    expect(countInversions(stories)).toBe(0);
  });

  it('do not count join requests that overlapped', () => {
    expect(
      countInversions([
        story(2, { joinSentAt: 0, joinAnsweredAt: 9 }),
        story(1, { joinSentAt: 8, joinAnsweredAt: 12 }),
      ]),
    ).toBe(0);
    expect(
      countInversions([
        story(2, { joinSentAt: 0, joinAnsweredAt: 7 }),
        story(1, { joinSentAt: 8, joinAnsweredAt: 12 }),
      ]),
    ).toBe(1);
  });

  it('are found by the seconds in which the server admitted visitors', () => {
    const stories = [
      story(1, { admittedAtSeconds: 9 }),
      story(2, { admittedAtSeconds: 8 }),
      story(3, { admittedAtSeconds: 9 }),
    ];
    expect(countInversions(stories)).toBe(1);
  });

  it('are found when a visitor still waits long after one behind them entered', () => {
    const waits = (lastWaitingAt: number) => [story(1, { lastWaitingAt }), story(2, { insideAt: 1_000 })];
    expect(countInversions(waits(1_000 + PASSED_OVER_AFTER_MS))).toBe(0);
    expect(countInversions(waits(1_001 + PASSED_OVER_AFTER_MS))).toBe(1);
  });
});

describe('overshoot', () => {
  /** Reports that follow each other in so many milliseconds. */
  const every =
    (ms: number) =>
    (...rooms: [inside: number, limit: number][]) => {
      const findings = new Findings(0, 0);
      for (const [i, [inside, limit]] of rooms.entries()) findings.noteRoom({ waiting: 0, inside, limit }, i * ms);
      return findings.overshoot;
    };
  const after = every(5_000);

  it('is the maximum above the limit', () => {
    expect(after([5, 5], [7, 5], [6, 5])).toBe(2);
  });

  it('ignores visitors who were inside when the limit was lowered, but not those who entered after them', () => {
    expect(after([10, 10], [10, 5], [8, 5], [7, 5], [5, 5])).toBe(0);
    expect(after([10, 10], [8, 5], [9, 5])).toBe(4);
    expect(after([8, 10], [9, 5])).toBe(0);
  });

  it('ignores a late report of visitors who have left since the limit was lowered', () => {
    expect(every(100)([10, 10], [8, 5], [9, 5], [7, 5], [10, 5], [6, 5])).toBe(0);
    expect(every(100)([10, 10], [8, 5], [11, 5])).toBe(6);
  });
});

describe('the hosts of a rehearsal', () => {
  it.each(['127.0.0.1', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '::1', 'fd00::1'])(
    'include %s',
    (address) => {
      expect(isPrivate(address)).toBe(true);
    },
  );

  it.each(['8.8.8.8', '172.32.0.1', '169.254.169.254', '0.0.0.0', '::', '2001:db8::1', 'localhost.example.org'])(
    'exclude %s',
    (address) => {
      expect(isPrivate(address)).toBe(false);
    },
  );

  it('include a public one only if --i-own names it', async () => {
    expect(await findTarget('https://203.0.113.7', '203.0.113.7')).toMatchObject({ ok: true });
    expect(await findTarget('https://203.0.113.7', '203.0.113.8')).toMatchObject({ ok: false });
    expect(await findTarget('http://user:pass@127.0.0.1', undefined)).toMatchObject({ ok: false });
  });
});
