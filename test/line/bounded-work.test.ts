/** Invariant 9 on the embedded store: no call does more than its bound, and it says when there is more to do. */
import { describe, expect, it } from 'vitest';
import { countInLine, createLine, type Line } from '../../src/line/model/line.ts';
import { admitFromHead } from '../../src/line/rules/admit-from-head.ts';
import { join } from '../../src/line/rules/join.ts';
import { configure } from '../../src/line/rules/operate.ts';
import { SWEEP_LIMIT, sweep } from '../../src/line/rules/sweep.ts';
import { testRoomDefaults } from '../support/rooms.ts';

const NOW = Date.UTC(2026, 0, 1);
const defaults = testRoomDefaults({ maxActive: 0, seenTtlMs: 60_000 });

/** `count` visitors who join and are not heard from again. */
function createQuietLine(count: number): Line {
  const line = createLine({ eventId: 'concert', epoch: 'e', defaults, overrides: {}, tickMs: 1_000 });
  for (let i = 0; i < count; i += 1) join(line, `v${i}`, NOW);
  return line;
}

describe('the work of one call', () => {
  it('examines a bounded number of places at the head, however many are away (9)', () => {
    const line = createQuietLine(25);
    configure(line, defaults, { maxActive: 100 });
    const later = NOW + 30_000;
    const steps = Array.from({ length: 3 }, () => {
      const { more } = admitFromHead(line, later, 10);
      return { more, away: line.away.size };
    });
    expect(steps).toEqual([
      { more: true, away: 10 },
      { more: true, away: 20 },
      { more: false, away: 25 },
    ]);
  });

  it('sweeps a bounded number of silent visitors, and says that there are more (9)', () => {
    const line = createQuietLine(SWEEP_LIMIT + 500);
    const later = NOW + 60_000;
    expect(sweep(line, later)).toBe(true);
    expect(countInLine(line)).toBe(500);
    expect(sweep(line, later)).toBe(false);
    expect(countInLine(line)).toBe(0);
  });
});
