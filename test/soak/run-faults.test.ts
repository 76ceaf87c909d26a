import { describe, expect, it } from 'vitest';
import { ActiveFaults } from './faults/run-faults.ts';

describe('a recovery time', () => {
  it('counts if no other fault was under way until the system served again', () => {
    const active = new ActiveFaults();
    const [early, one, late] = [{}, {}, {}];
    active.begin(early, 0);
    active.end(early, 90);
    active.begin(one, 100);
    active.end(one, 200);
    active.begin(late, 300);
    expect(active.wasAlone(one, 100, 250)).toBe(true);
    expect(active.wasAlone(one, 100, 300)).toBe(false);
  });

  it('does not count if a longer fault began before', () => {
    const active = new ActiveFaults();
    const [rolling, short] = [{}, {}];
    active.begin(rolling, 0);
    active.begin(short, 10);
    active.end(short, 20);
    active.end(rolling, 500);
    expect(active.wasAlone(short, 10, 510)).toBe(false);
  });
});
