import { describe, expect, it } from 'vitest';
import { RequestLog } from '../../../src/line/store/memory/request-log.ts';

describe('the log of keyed requests', () => {
  it('drops only the oldest beyond its bound', () => {
    const log = new RequestLog(2);
    for (const id of ['a', 'b', 'c']) log.note(id, 'f', 0);
    expect([...log.list()].map(({ id }) => id)).toEqual(['b', 'c']);
    expect(log.note('b', 'another', 1)).toBeUndefined();
    expect(log.note('a', 'another', 1)).toMatchObject({ fingerprint: 'another', doneUntil: 0 });
  });

  it('keeps a key for as long as it is used', () => {
    const log = new RequestLog();
    log.note('a', 'f', 0);
    log.note('b', 'f', 0);
    log.note('a', 'f', 200_000);
    expect(log.note('a', 'another', 499_999)).toBeUndefined();
    expect([...log.list()].map(({ id }) => id)).toEqual(['a']);
    expect(log.note('a', 'another', 500_000)).toBeDefined();
  });
});
