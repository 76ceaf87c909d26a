import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import type { Crowd } from '../../src/line/model/standing.ts';
import { Priority } from '../../src/line/priority.ts';
import type { LookOutcome } from '../../src/line/store/visits.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { createTestClock } from '../support/test-clock.ts';

function createPriority(isMember: () => Promise<boolean>) {
  const clock = createTestClock();
  const room = { priorityShare: 20, state: 'absent' as 'absent' | 'waiting' };
  const crowd = () => ({ settings: testRoomDefaults({ priorityShare: room.priorityShare }) }) as Crowd;
  const find = vi.fn(
    async () => ({ outcome: 'found', standing: { state: room.state }, crowd: crowd() }) as LookOutcome,
  );
  const members = { isMember: vi.fn(isMember) };
  const countMemberCheck = vi.fn();
  const log = pino({ level: 'silent' });
  const warn = vi.spyOn(log, 'warn');
  const priority = new Priority({ members, visits: { find }, metrics: { countMemberCheck }, log, clock });
  const goesFirst = (kind: 'user' | 'guest' = 'user') => priority.goesFirst('concert', { id: 'v', kind });
  return { clock, room, crowd, find, members, countMemberCheck, warn, priority, goesFirst };
}

describe('the priority lane', () => {
  it('is for members who are new to a room that has one', async () => {
    const { room, members, countMemberCheck, goesFirst } = createPriority(async () => true);
    expect(await goesFirst()).toBe(true);
    expect(members.isMember).toHaveBeenCalledWith('concert', 'v');
    expect(countMemberCheck).toHaveBeenCalledWith('member');
    room.state = 'waiting';
    expect(await goesFirst()).toBe(false);
    expect(members.isMember).toHaveBeenCalledTimes(1);
  });

  it('is not for guests, nor for anyone without memberships, and needs no lookup for them', async () => {
    const { find, goesFirst, clock } = createPriority(async () => true);
    expect(await goesFirst('guest')).toBe(false);
    const metrics = { countMemberCheck: vi.fn() };
    const none = new Priority({ members: undefined, visits: { find }, metrics, log: pino({ level: 'silent' }), clock });
    expect(await none.goesFirst('concert', { id: 'v', kind: 'user' })).toBe(false);
    expect(find).not.toHaveBeenCalled();
  });

  it('costs rooms without one no lookup while visitors join, and is noticed within a second', async () => {
    const { room, crowd, find, priority, goesFirst, clock } = createPriority(async () => true);
    room.priorityShare = 0;
    expect(await goesFirst()).toBe(false);
    for (let i = 0; i < 10; i += 1) {
      clock.advance(900);
      expect(await goesFirst()).toBe(false);
      priority.note('concert', crowd());
    }
    expect(find).toHaveBeenCalledTimes(1);
    room.priorityShare = 20;
    expect(await goesFirst()).toBe(false);
    clock.advance(1_000);
    expect(await goesFirst()).toBe(true);
    room.priorityShare = 0;
    await goesFirst();
    // The response to any other visitor counts too.
    room.priorityShare = 20;
    priority.note('concert', crowd());
    expect(await goesFirst()).toBe(true);
  });

  it('is skipped if the lookup fails or times out: counted every time, logged at intervals', async () => {
    const failing = createPriority(async () => Promise.reject(new Error('away')));
    for (let i = 0; i < 3; i += 1) expect(await failing.goesFirst()).toBe(false);
    expect(failing.countMemberCheck.mock.calls).toEqual([['failed'], ['failed'], ['failed']]);
    expect(failing.warn).toHaveBeenCalledTimes(1);
    failing.clock.advance(10_000);
    await failing.goesFirst();
    expect(failing.warn).toHaveBeenCalledTimes(2);
    vi.useFakeTimers();
    try {
      const slow = createPriority(() => new Promise(() => {}));
      const answer = slow.goesFirst();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await answer).toBe(false);
      expect(slow.countMemberCheck).toHaveBeenCalledWith('failed');
    } finally {
      vi.useRealTimers();
    }
  });
});
