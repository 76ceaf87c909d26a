import { describe, expect, it } from 'vitest';
import { unmeasured } from '../../src/line/model/pace.ts';
import type { Crowd } from '../../src/line/model/standing.ts';
import {
  createPositionFormatter,
  formatAdmitted,
  formatBye,
  formatGone,
  formatReady,
  formatRetry,
  formatRoom,
} from '../../src/live/hub/frames.ts';
import { testRoomDefaults } from '../support/rooms.ts';

function crowdOf(overrides: Partial<Crowd> = {}): Crowd {
  const pace = { ...unmeasured, at: 1, observedPerSecond: 2, slotSeconds: 5, slotError: 0.1 };
  const settings = testRoomDefaults({ maxActive: 10 });
  return {
    at: 1,
    phase: 'open',
    settings,
    waiting: 40,
    away: 0,
    returnedAt: 0,
    admitted: 1,
    active: 9,
    pace,
    ...overrides,
  };
}

const WAITING = { state: 'waiting', number: 17, tokenId: 'e.17', position: 12, joinedAt: 0 } as const;

const NOW = Date.UTC(2026, 0, 1);

describe('frames of the stream', () => {
  it('contain the same position fields as the poll door', () => {
    const frame = createPositionFormatter(crowdOf(), 1_000)(WAITING);
    expect(frame).toMatch(/^event: position\ndata: \{[^\n]*\}\n\n$/);
    expect(dataOf(frame)).toEqual({
      number: 17,
      position: 12,
      peopleAhead: 11,
      peopleBehind: 28,
      queueSize: 40,
      estimatedWait: 9,
      estimatedWaitRange: { low: 4, high: 13 },
      confidence: 0.47,
      currentUsers: 10,
      threshold: 10,
    });
  });

  it('contain the reason if there is no estimate', () => {
    const frame = createPositionFormatter(crowdOf({ phase: 'paused' }), 1_000)(WAITING);
    expect(dataOf(frame)).toMatchObject({ estimatedWait: null, waitReason: 'paused' });
  });

  it('contain the draw but no number in the lobby', () => {
    const lobby = { state: 'lobby', joinedAt: 0, lot: 'ab', lobbyId: 'e.@0' } as const;
    const frame = createPositionFormatter(crowdOf(), 1_000)(lobby);
    expect(dataOf(frame)).toEqual({
      drawLot: 'ab',
      estimatedWait: null,
      waitReason: 'draw',
      queueSize: 40,
      currentUsers: 10,
      threshold: 10,
    });
  });

  it('have a room id that changes only with the content', () => {
    const { id, text } = formatRoom(crowdOf(), NOW);
    expect(text).toBe(`id: ${id}\nevent: room\ndata: {"state":"open","keptSeconds":300}\n\n`);
    expect(formatRoom(crowdOf({ waiting: 41 }), NOW).id).toBe(id);
    expect(formatRoom(crowdOf({ phase: 'paused' }), NOW).id).not.toBe(id);
  });

  it('have the message of the operator until it ends', () => {
    const until = new Date(NOW + 1_000).toISOString();
    const crowd = crowdOf({ settings: testRoomDefaults({ message: { en: 'Soon.', until } }) });
    expect(dataOf(formatRoom(crowd, NOW).text)).toMatchObject({ message: { en: 'Soon.' } });
    expect(dataOf(formatRoom(crowd, NOW + 1_000).text)).not.toHaveProperty('message');
    expect(formatRoom(crowd, NOW).id).not.toBe(formatRoom(crowd, NOW + 1_000).id);
  });

  it('keep a message with line breaks in one event', () => {
    const settings = testRoomDefaults({ message: { en: 'one\n\nevent: admitted\r\ntwo' } });
    const { text } = formatRoom(crowdOf({ settings }), NOW);
    expect(text.split(/\r|\n/).filter((line) => line !== '')).toHaveLength(3);
    expect(dataOf(text)).toEqual({
      state: 'open',
      keptSeconds: expect.any(Number),
      message: { en: 'one\n\nevent: admitted\r\ntwo' },
    });
  });

  it('contain the entry token with its times', () => {
    const admission = {
      state: 'active',
      number: 1,
      tokenId: 'e.1',
      joinedAt: 0,
      admittedAt: 1_000,
      expiresAt: 61_000,
    } as const;
    expect(dataOf(formatAdmitted('token', admission, '/shop/7?ref=mail'))).toEqual({
      entryToken: 'token',
      admittedAt: '1970-01-01T00:00:01.000Z',
      expiresAt: '1970-01-01T00:01:01.000Z',
      target: '/shop/7?ref=mail',
    });
  });

  it('contain the claim deadline of a ready visitor', () => {
    const ready = {
      state: 'admitted',
      number: 7,
      tokenId: 'e.7',
      joinedAt: 0,
      admittedAt: 1_000,
      expiresAt: 61_000,
    } as const;
    expect(dataOf(formatReady(ready, null))).toEqual({
      number: 7,
      position: 0,
      peopleAhead: 0,
      estimatedWait: 0,
      readyForEntry: true,
      enterBy: '1970-01-01T00:01:01.000Z',
      target: null,
    });
  });

  it('mark events as final after which a client must not reconnect', () => {
    const isFinal = (frame: string) => frame.startsWith('id: end\n');
    expect(isFinal(formatGone('lapsed'))).toBe(true);
    expect(isFinal(formatBye('left'))).toBe(true);
    expect(isFinal(formatBye('replaced'))).toBe(true);
    expect(isFinal(formatBye('stopping'))).toBe(false);
    expect(isFinal(formatBye('slow'))).toBe(false);
  });

  it('contain the retry time in whole milliseconds', () => {
    expect(formatRetry(1234.5678)).toBe('retry: 1235\n\n');
  });
});

function dataOf(frame: string): unknown {
  return JSON.parse(/^data: (.*)$/m.exec(frame)![1]!);
}
