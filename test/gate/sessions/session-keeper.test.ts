import { describe, expect, it, onTestFinished } from 'vitest';
import { SessionKeeper } from '../../../src/gate/sessions/session-keeper.ts';
import type { SessionAnswer, SessionReport } from '../../../src/gate/sessions/session-report.ts';
import type { Entry } from '../../../src/line/tokens/entry-pass.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const SESSION_MS = 600_000;

/** A keeper before a line of which every answer is a decision of the test. */
function createWorld({ everyMs = 0, withinRequests = false } = {}) {
  const clock = createTestClock();
  const reports: SessionReport[] = [];
  const counts = { sent: 0, dropped: 0, line: 0, site: 0 };
  const away: (string | undefined)[] = [];
  const line = {
    isAway: false,
    /** Set: reports are not answered before it resolves. */
    answering: undefined as Promise<void> | undefined,
    ended: new Set<string>(),
    lengthMs: SESSION_MS,
  };
  const keeper = new SessionKeeper({
    async report(report) {
      reports.push(report);
      await line.answering;
      if (line.isAway) throw new Error('the line is away');
      return report.seen.map(({ visitor }): SessionAnswer => {
        if (line.ended.has(visitor)) return { outcome: 'ended' };
        const expiresAt = clock.now() + line.lengthMs;
        return {
          outcome: 'stands',
          token: `token of ${visitor} at ${clock.now()}`,
          expiresAt,
          sessionMs: line.lengthMs,
        };
      });
    },
    now: clock.now,
    everyMs,
    withinRequests,
    counts: {
      sent: (signs) => (counts.sent += signs),
      dropped: (signs) => (counts.dropped += signs),
      ended: (by) => (counts[by] += 1),
    },
    onAway: (error) => away.push(error?.message),
  });
  onTestFinished(() => {
    line.answering = undefined;
    void keeper.close();
  });
  const entry = (visitor: string, leftMs = SESSION_MS): Entry => ({
    eventId: 'concert',
    visitor,
    tokenId: `epoch.${visitor}`,
    expiresAt: Math.floor((clock.now() + leftMs) / 1000) * 1000,
  });
  /** The session length is known after the first answer. */
  const learn = async () => {
    await keeper.see(entry('first'));
    reports.length = 0;
    counts.sent = 0;
  };
  const seenOf = () => reports.flatMap(({ seen }) => seen.map(({ visitor }) => visitor));
  return { clock, keeper, line, reports, counts, away, entry, learn, seenOf };
}

describe('signs of life', () => {
  it('are sent at most once per visitor in a tenth of the session', async () => {
    const { keeper, clock, entry, learn, seenOf } = createWorld({ everyMs: 5 });
    await learn();
    const visitors = Array.from({ length: 1_000 }, (_, i) => `visitor ${i}`);
    const tokens = new Map(visitors.map((visitor) => [visitor, entry(visitor, 2 * SESSION_MS)]));
    const see = async () => {
      for (const token of tokens.values()) await keeper.see(token);
    };
    for (let round = 0; round < 10; round += 1) await see();
    await until('all to be reported', () => seenOf().length >= 1_000);
    clock.advance(SESSION_MS / 10 - 1);
    for (let round = 0; round < 10; round += 1) await see();
    await keeper.settled();
    expect(new Set(seenOf()).size).toBe(1_000);
    expect(seenOf()).toHaveLength(1_000);
    clock.advance(1);
    await see();
    await until('all to be reported again', () => seenOf().length >= 2_000);
    expect(seenOf()).toHaveLength(2_000);
  });

  it('are collected, so that a crowd costs a few calls of bounded size', async () => {
    const { keeper, entry, learn, reports, seenOf } = createWorld({ everyMs: 20 });
    await learn();
    for (let i = 0; i < 1_200; i += 1) void keeper.see(entry(`visitor ${i}`));
    await until('all to be reported', () => seenOf().length === 1_200);
    expect(reports.map(({ seen }) => seen.length)).toEqual([500, 500, 200]);
  });

  it('wait for a line that is away, are bounded, and are sent when it is back', async () => {
    const { keeper, line, entry, learn, counts, away, seenOf } = createWorld();
    await learn();
    line.isAway = true;
    for (let i = 0; i < 10_500; i += 1) expect(await keeper.see(entry(`visitor ${i}`))).toEqual({ outcome: 'none' });
    await keeper.settled();
    expect(counts).toMatchObject({ sent: 0, dropped: 500 });
    expect(away).toEqual(['the line is away']);
    line.isAway = false;
    await until('the signs to arrive', () => counts.sent === 10_000);
    expect(away).toEqual(['the line is away', undefined]);
    expect(seenOf()).toContain('visitor 10499');
    expect(seenOf().slice(-10_000)).not.toContain('visitor 0');
  });

  it('are given up when the token has expired in the meantime', async () => {
    const { keeper, line, clock, entry, learn, counts } = createWorld();
    await learn();
    line.isAway = true;
    await keeper.see(entry('mina', 400_000));
    await keeper.settled();
    clock.advance(405_001);
    line.isAway = false;
    await until('the sign to be given up', () => counts.dropped === 1);
    expect(counts.sent).toBe(0);
  });

  it('are repeated if a runtime drops a report without an error', async () => {
    const { keeper, line, clock, entry, learn, seenOf } = createWorld({ withinRequests: true });
    await learn();
    line.answering = new Promise(() => {});
    await keeper.see(entry('mina'));
    line.answering = undefined;
    clock.advance(9_999);
    await keeper.see(entry('mina'));
    expect(seenOf()).toEqual(['mina']);
    clock.advance(1);
    await keeper.see(entry('mina'));
    await until('the second sign', () => seenOf().length === 2);
  });
});

describe('renewal', () => {
  it('happens when less than half of the time is left, and not before', async () => {
    const { keeper, clock, entry, learn } = createWorld();
    await learn();
    const token = entry('mina');
    expect(await keeper.see(token)).toEqual({ outcome: 'none' });
    await keeper.settled();
    clock.advance(SESSION_MS / 2);
    const now = clock.now();
    expect(await keeper.see(token)).toEqual({ outcome: 'none' });
    await keeper.settled();
    clock.advance(1);
    const renewed = { outcome: 'renewed', token: `token of mina at ${now}`, expiresAt: now + SESSION_MS };
    expect(await keeper.see(token)).toEqual(renewed);
    expect(keeper.see(token), 'known now, without another call').toEqual(renewed);
  });

  it('gives a token from the last sign without waiting', async () => {
    const { keeper, clock, entry, learn, reports } = createWorld();
    await learn();
    const token = entry('mina', SESSION_MS / 2 + 1_000);
    await keeper.see(token);
    await keeper.settled();
    clock.advance(2_000);
    expect(keeper.see(token)).toMatchObject({ outcome: 'renewed' });
    expect(reports).toHaveLength(1);
  });

  it('asks first when the session length is not known yet', async () => {
    const { keeper, entry } = createWorld();
    expect(keeper.see(entry('mina', 1_000))).toBeInstanceOf(Promise);
    expect(await keeper.see(entry('mina', 1_000))).toMatchObject({ outcome: 'renewed' });
  });

  it('gives no token that lasts no longer than the one presented', async () => {
    const { keeper, line, entry, learn } = createWorld();
    await learn();
    line.lengthMs = 100_000;
    await keeper.see(entry('another'));
    await keeper.settled();
    line.lengthMs = 40_000;
    expect(await keeper.see(entry('mina', 40_000))).toEqual({ outcome: 'none' });
  });

  it('does not wait for a line that does not answer, and not at all for one that is away', async () => {
    const { keeper, line, entry, learn } = createWorld();
    await learn();
    let answer = () => {};
    line.answering = new Promise((resolve) => (answer = resolve));
    expect(await keeper.see(entry('mina', 1_000)), 'a line that does not answer').toEqual({ outcome: 'none' });
    line.isAway = true;
    answer();
    await keeper.settled();
    expect(keeper.see(entry('jun', 1_000))).toEqual({ outcome: 'none' });
  });
});

describe('the end of a session', () => {
  it('is remembered when the line reports it, for this visitor and token only', async () => {
    const { keeper, line, entry, learn, counts } = createWorld();
    await learn();
    line.ended.add('mina');
    expect(keeper.hasEnded(entry('mina'))).toBe(false);
    expect(await keeper.see(entry('mina', 1_000))).toEqual({ outcome: 'ended' });
    expect(keeper.hasEnded(entry('mina'))).toBe(true);
    expect(keeper.hasEnded({ ...entry('mina'), tokenId: 'epoch.9' })).toBe(false);
    expect(keeper.hasEnded({ ...entry('mina'), visitor: 'the account of mina' })).toBe(false);
    expect(counts).toMatchObject({ line: 1, site: 0 });
  });

  it('counts at once when the site ends it, and is reported when the line is back', async () => {
    const { keeper, line, reports, entry, counts } = createWorld();
    line.isAway = true;
    keeper.end(entry('mina'));
    expect(keeper.hasEnded(entry('mina'))).toBe(true);
    await keeper.settled();
    line.isAway = false;
    const session = { eventId: 'concert', visitor: 'mina', tokenId: 'epoch.mina' };
    await until('the line to be told', () => reports.length === 2);
    expect(reports.map(({ ended }) => ended)).toEqual([[session], [session]]);
    expect(counts).toMatchObject({ line: 0, site: 1 });
  });

  it('is reported before the process stops', async () => {
    const { keeper, reports, entry } = createWorld({ everyMs: 60_000 });
    await keeper.see(entry('first'));
    keeper.end(entry('mina'));
    await keeper.close();
    expect(reports.at(-1)?.ended).toHaveLength(1);
  });
});
