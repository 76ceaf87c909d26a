import { describe, expect, it } from 'vitest';
import { VisitBatcher, type VisitOutcome } from '../../../src/line/store/redis/scripts/visit.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';

const CLOSED: VisitOutcome = { outcome: 'closed' };

/** A batcher whose calls return when `answer` is called, oldest first. */
function createBatcher() {
  const time = createVirtualTime();
  const sent: string[][] = [];
  const underWay: (() => void)[] = [];
  const turns: (() => void)[] = [];
  const batcher = new VisitBatcher(
    (eventId, visits) => {
      sent.push([eventId, ...visits.map(({ visitor }) => visitor)]);
      return new Promise((resolve) => underWay.push(() => resolve(visits.map(() => CLOSED))));
    },
    { atEndOfTurn: (work) => turns.push(work), after: (ms, work) => void time.delay(ms).then(work) },
  );
  return {
    sent,
    time,
    join: (visitor: string, eventId = 'concert') => batcher.add(eventId, { verb: 'join', visitor }),
    sign: (visitor: string) => batcher.add('concert', { verb: 'sign', visitor }),
    flush: () => batcher.flush('concert'),
    endTurn: () => {
      for (const work of turns.splice(0)) work();
    },
    answer: async () => {
      underWay.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('the batcher of visits', () => {
  it('sends the visits of a turn at its end while no call is under way', () => {
    const { join, endTurn, sent } = createBatcher();
    void join('a');
    void join('b');
    expect(sent).toEqual([]);
    endTurn();
    expect(sent).toEqual([['concert', 'a', 'b']]);
  });

  it('gathers the visits of an event until the call under way returns', async () => {
    const { join, endTurn, answer, sent } = createBatcher();
    void join('a');
    endTurn();
    for (const visitor of ['b', 'c']) {
      void join(visitor);
      endTurn();
    }
    void join('other', 'opera');
    endTurn();
    expect(sent).toEqual([
      ['concert', 'a'],
      ['opera', 'other'],
    ]);
    await answer();
    expect(sent.slice(2)).toEqual([['concert', 'b', 'c']]);
  });

  it('gathers for 5 ms at most while the store is slow', async () => {
    const { join, endTurn, time, sent } = createBatcher();
    void join('a');
    endTurn();
    void join('b');
    endTurn();
    await time.pass(4);
    void join('c');
    endTurn();
    expect(sent).toHaveLength(1);
    await time.pass(1);
    expect(sent.slice(1)).toEqual([['concert', 'b', 'c']]);
  });

  it('sends a full call at once, and what must come before another command', () => {
    const { join, endTurn, flush, sent } = createBatcher();
    void join('first');
    endTurn();
    for (let i = 0; i < 130; i += 1) void join(`v${i}`);
    expect(sent.map((call) => call.length - 1)).toEqual([1, 128]);
    flush();
    expect(sent.map((call) => call.length - 1)).toEqual([1, 128, 2]);
  });

  it('lets signs of life, for which nobody waits, gather for 200 ms or until another visit comes', async () => {
    const { join, sign, endTurn, time, sent } = createBatcher();
    for (const visitor of ['a', 'b']) {
      void sign(visitor);
      endTurn();
      await time.pass(100);
    }
    expect(sent).toEqual([['concert', 'a', 'b']]);
    void sign('c');
    endTurn();
    await time.pass(10);
    expect(sent).toHaveLength(1);
    void join('d', 'opera');
    endTurn();
    expect(sent.slice(1)).toEqual([['opera', 'd']]);
  });

  it('sends signs of life along with the next visit of the event', () => {
    const { join, sign, endTurn, sent } = createBatcher();
    void sign('a');
    endTurn();
    void join('b');
    endTurn();
    expect(sent).toEqual([['concert', 'a', 'b']]);
  });

  it('answers each visit with its own outcome, also one that was gathered', async () => {
    const { join, endTurn, answer } = createBatcher();
    const first = join('a');
    endTurn();
    const second = join('b');
    endTurn();
    await answer();
    await answer();
    expect(await Promise.all([first, second])).toEqual([CLOSED, CLOSED]);
  });
});
