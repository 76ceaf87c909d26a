import { describe, expect, it } from 'vitest';
import { RecentMap } from '../../../src/platform/collections/recent-map.ts';
import { createTestClock } from '../../support/test-clock.ts';

describe('a map of recent entries', () => {
  it('keeps at most its limit', () => {
    const map = new RecentMap<number>(10);
    for (let no = 0; no < 1_000; no += 1) map.set(`key-${no}`, no);
    expect(map.size).toBeLessThanOrEqual(10);
    expect(map.get('key-999')).toBe(999);
  });

  it('drops what was not used for a while, however far it is from its limit', () => {
    const clock = createTestClock();
    const map = new RecentMap<number>(200_000, { unusedMs: 60_000, now: clock.now });
    for (let no = 0; no < 1_000; no += 1) {
      map.set(`visitor-${no}`, no);
      map.get('regular') ?? map.set('regular', -1);
      clock.advance(1_000);
    }
    expect(map.size).toBeLessThanOrEqual(123);
    expect(map.get('visitor-999')).toBe(999);
    expect(map.get('visitor-100')).toBeUndefined();
  });

  it('keeps what is used again and again', () => {
    const clock = createTestClock();
    const map = new RecentMap<number>(100, { unusedMs: 60_000, now: clock.now });
    map.set('regular', 1);
    for (let no = 0; no < 100; no += 1) {
      clock.advance(59_000);
      expect(map.get('regular')).toBe(1);
      map.set('other', no);
    }
  });
});
