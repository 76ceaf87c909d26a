/** What is remembered about targets never changes a decision. */
import { describe, expect, it } from 'vitest';
import { defaultRules } from '../../src/gate/decision/default-rules.ts';
import { createMatcher } from '../../src/gate/decision/match-rule.ts';
import { createReader } from '../../src/gate/decision/read-request.ts';
import { ActiveEvents } from '../../src/gate/lookups/active-events.ts';
import { createGateWorld, summarize } from './gate-world.ts';

const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'TRACE', 'get', 'constructor'];
const targets = [
  '/',
  '/events/concert',
  '/events/concert?_method=DELETE',
  '/api/seats/events/concert',
  '/API/seats/events/concert',
  '/api/seats/events/concert?row=1',
  '/api/seats/events/other',
  '/api/seats/events/%63oncert',
  '/index.php/api/seats/events/concert',
  '/api//seats',
  '/__proto__',
  `/api/seats/events/concert?${'a'.repeat(300)}`,
];

describe('A reader', () => {
  it('reads the same the first time and every other time, whatever it read before', () => {
    const match = createMatcher(defaultRules);
    const pairs = methods.flatMap((method) => targets.map((target) => [method, target] as const));
    const fresh = pairs.map(([method, target]) => createReader(match)(method, target));
    const read = createReader(match);
    const rounds = [pairs, pairs, [...pairs].reverse()].map((round) => round.map((pair) => read(...pair)));
    expect(rounds).toEqual([fresh, fresh, [...fresh].reverse()]);
  });
});

describe('A decision about a target that others have asked for', () => {
  const seats = '/api/seats/events/concert';

  it('depends on who asks, when, and by which method', () => {
    const world = createGateWorld();
    const both = { entryToken: world.entry(), vwrToken: world.vwr() };
    const ask = (sent = {}, method = 'GET') => summarize(world.ask(method, seats, sent));
    expect([1, 2, 3].map(() => ask(both))).toEqual(['pass', 'pass', 'pass']);
    expect(ask()).toBe('403 VWR_REQUIRED /vwr/concert');
    expect(ask({ ...both, who: 'jun' })).toBe('403 ENTRY_TOKEN_INVALID /queue/concert');
    expect(ask({ ...both, device: 'laptop' })).toBe('403 VWR_TOKEN_INVALID /vwr/concert');
    expect(ask({ ...both, entryToken: world.entry('other') })).toBe('403 ENTRY_TOKEN_INVALID /queue/concert');
    expect(ask(both, 'TRACE')).toBe('405 METHOD_NOT_ALLOWED');
    expect(ask(both)).toBe('pass');
    world.clock.advance(606_000);
    expect(ask(both)).not.toBe('pass');
  });

  it('follows the list of active events, also for other spellings', async () => {
    let list: readonly string[] = ['other'];
    let now = 0;
    const active = new ActiveEvents({ list: async () => list, now: () => now });
    const world = createGateWorld();
    const rules = { ...world.rules, isTier1On: (eventId: string) => active.has(eventId) };
    const spellings = ['concert', 'CONCERT', 'con-cert', 'other', 'Other'];
    const isOn = async () => {
      await active.refresh();
      return [1, 2].map(() => spellings.map((eventId) => rules.isTier1On(eventId)));
    };
    const offAt = [false, false, false, true, true];
    expect(await isOn()).toEqual([offAt, offAt]);
    [list, now] = [['concert'], 3_000];
    const onAt = [true, true, true, false, false];
    expect(await isOn()).toEqual([onAt, onAt]);
  });
});
