import { describe, expect, it } from 'vitest';
import { nextPollSeconds } from '../../src/line/estimate/estimate.ts';
import { measured, pollsOfLine, toNeed } from '../../src/simulate/scale.ts';

describe('the resources for a sale', () => {
  it('count polls at the interval of each position', () => {
    const oneByOne = (waiting: number) =>
      Array.from({ length: waiting }, (_, index) => 1 / nextPollSeconds(index + 1)).reduce((sum, one) => sum + one, 0);
    for (const waiting of [0, 1, 999, 1_000, 1_001, 7_777, 10_000, 250_000]) {
      expect(pollsOfLine(waiting)).toBeCloseTo(oneByOne(waiting), 6);
    }
  });

  it('grow with the visitors, and those of the shop with the seats', () => {
    const small = toNeed({ visitors: 1_000_000, events: 1, seats: 20_000 });
    const large = toNeed({ visitors: 10_000_000, events: 1, seats: 20_000 });
    expect(large.redisGb).toBeCloseTo(small.redisGb * 10);
    expect(large.joinsPerSecond).toBeCloseTo(small.joinsPerSecond * 10);
    expect(large.processes).toBeGreaterThan(small.processes);
    expect(large.holdsPerSecond).toBe(small.holdsPerSecond);
  });

  it('leave half of every component free, with at least two processes', () => {
    const { processes, joinsPerSecond, pollsPerSecond, redisMasters } = toNeed({
      visitors: 30_000_000,
      events: 10,
      seats: 1,
    });
    expect(joinsPerSecond / measured.joinsPerSecond + pollsPerSecond / measured.pollsPerSecond).toBeLessThanOrEqual(
      processes / 2,
    );
    expect(joinsPerSecond).toBeLessThanOrEqual((redisMasters * measured.redisJoinsPerSecond) / 2);
    expect(toNeed({ visitors: 30_000_000, events: 1, seats: 1 }).redisMasters).toBe(1);
    expect(toNeed({ visitors: 10, events: 1, seats: 1 }).processes).toBe(2);
  });
});
