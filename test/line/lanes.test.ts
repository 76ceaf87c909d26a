import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ruler, readRank } from '../../src/line/estimate/ruler.ts';
import { countGoingBefore, nextTurn } from '../../src/line/model/lanes.ts';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';
import { describeLanes } from './lane-contract.ts';

const share = fc.integer({ min: 1, max: 100 });
const credit = fc.integer({ min: 0, max: 99 });

describe('the turns of two lanes', () => {
  it('have the same count in closed form as taken one by one', () => {
    fc.assert(
      fc.property(share, credit, fc.integer({ min: 1, max: 300 }), (share, credit, turns) => {
        const seen = { ordinary: 0, priority: 0 };
        let left = credit;
        for (let i = 0; i < turns; i += 1) {
          const turn = nextTurn(left, share);
          left = turn.credit;
          const other = turn.lane === 'priority' ? 'ordinary' : 'priority';
          seen[turn.lane] += 1;
          expect(0 + countGoingBefore(turn.lane, seen[turn.lane], credit, share)).toBe(seen[other]);
          expect(left).toBeGreaterThanOrEqual(0);
          expect(left).toBeLessThan(100);
        }
      }),
    );
  });

  it('give the priority lane exactly its share, rounded down', () => {
    fc.assert(
      fc.property(share, fc.integer({ min: 1, max: 2_000 }), (share, turns) => {
        let [credit, members] = [0, 0];
        for (let i = 1; i <= turns; i += 1) {
          const turn = nextTurn(credit, share);
          credit = turn.credit;
          if (turn.lane === 'priority') members += 1;
          expect(members).toBe(Math.floor((i * share) / 100));
        }
      }),
    );
  });
});

describe('the rulers of two long lanes', () => {
  it.each([1, 20, 50, 97])('give every visitor their position at a share of %i percent', async (priorityShare) => {
    const dir = tempFolder();
    const options = { dir, defaults: testRoomDefaults(), tickMs: 1_000, clock: createTestClock(), sync: false };
    const store = await MemoryLineStore.open({ ...options, log: pino({ level: 'silent' }) });
    onTestFinished(() => store.close());
    await store.putRoom('concert', { maxActive: 0, priorityShare });
    const lanes = { ordinary: [] as number[], priority: [] as number[] };
    const joins = Array.from({ length: 12_000 }, async (_, i) => {
      const priority = i % 7 < 3;
      await store.join('concert', `v${i}`, { priority });
      lanes[priority ? 'priority' : 'ordinary'].push(i);
    });
    await Promise.all(joins);
    const tick = await store.tick('concert');
    if (tick.outcome === 'no-room') throw new Error('the room is gone');
    const worst = { ordinary: 0, priority: 0 };
    const check = async (lane: 'ordinary' | 'priority', ruler: Ruler) => {
      for (const [index, i] of lanes[lane].entries()) {
        const found = await store.find('concert', `v${i}`);
        if (found.outcome === 'no-room' || found.standing.state !== 'waiting') throw new Error('nobody has left');
        const { number, position } = found.standing;
        const read = readRank(ruler, number);
        if (index < 100) expect(read).toBe(position);
        worst[lane] = Math.max(worst[lane], Math.abs(read - position) / position);
      }
    };
    await check('ordinary', tick.pulse.ruler);
    await check('priority', tick.pulse.priorityRuler!);
    expect(Math.max(worst.ordinary, worst.priority)).toBeLessThanOrEqual(0.02);
  });
});

describeLanes(
  'the memory store',
  () => {
    const clock = createTestClock();
    return {
      async open(defaults) {
        const log = pino({ level: 'silent' });
        const store = await MemoryLineStore.open({
          dir: tempFolder(),
          defaults,
          tickMs: 1_000,
          clock,
          log,
          sync: false,
        });
        onTestFinished(() => store.close());
        return store;
      },
      async advance(ms) {
        clock.advance(ms);
      },
    };
  },
  150,
);
