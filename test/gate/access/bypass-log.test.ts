import { describe, expect, it } from 'vitest';
import { BypassCounts } from '../../../src/gate/access/bypass-counts.ts';
import { BypassLog, type BypassNote } from '../../../src/gate/access/bypass-log.ts';
import { createTestClock } from '../../support/test-clock.ts';

const note = (from: string, more: Partial<BypassNote> = {}): BypassNote => ({
  ...{ kind: 'address', entry: 'access[0]', eventId: 'concert', from, requests: 1 },
  ...more,
});

describe('the log of bypasses', () => {
  function create() {
    const clock = createTestClock();
    const written: (BypassNote & { since: number | undefined })[] = [];
    return { clock, written, log: new BypassLog({ clock, write: (one) => written.push(one) }) };
  }

  it('has the first of an entry and address at once, and one summary per minute of the rest', () => {
    const { log, written, clock } = create();
    for (let i = 0; i < 5; i += 1) log.note(note('192.0.2.1'));
    log.note(note('192.0.2.1', { entry: 'access[1]' }));
    expect(written.map(({ entry, requests }) => [entry, requests])).toEqual([
      ['access[0]', 1],
      ['access[1]', 1],
    ]);
    clock.advance(60_000);
    log.runOnce();
    expect(written.slice(2)).toMatchObject([
      { entry: 'access[0]', from: '192.0.2.1', requests: 4, since: clock.now() - 60_000 },
    ]);
    log.note(note('192.0.2.1'));
    expect(written).toHaveLength(4);
  });

  it('sums up what comes from too many addresses, and loses no count', () => {
    const { log, written } = create();
    for (let i = 0; i < 1_000; i += 1) log.note(note(`10.0.${i >> 8}.${i & 255}`));
    expect(written).toHaveLength(100);
    log.flush();
    expect(written).toHaveLength(101);
    expect(written.at(-1)).toMatchObject({ from: 'other addresses', requests: 900 });
  });
});

describe('the counts of a gate', () => {
  it('are taken once, in bounded form', () => {
    const counts = new BypassCounts();
    for (let i = 0; i < 1_000; i += 1) counts.add(note(`10.0.${i >> 8}.${i & 255}`));
    counts.add(note('10.0.0.0'));
    const taken = counts.take();
    expect(taken.length).toBeLessThanOrEqual(200);
    expect(taken.reduce((sum, { requests }) => sum + requests, 0)).toBe(1_001);
    expect(taken[0]).toMatchObject({ from: '10.0.0.0', requests: 2 });
    expect(counts.take()).toEqual([]);
  });
});
