/** Compares the estimates shown in simulated sales with the real waiting times. See docs/explanation/waiting-time.md. */
import { beforeAll, describe, expect, it } from 'vitest';
import { judge, momentsAtShares, momentsBefore, withoutOvertaken } from '../../src/simulate/judge-estimates.ts';
import { simulateSale, type Visit } from '../../src/simulate/sale.ts';
import { type Scenario, scenarios, toldScenarios, toSalePlan } from '../../src/simulate/scenarios.ts';
import { testRoomDefaults } from '../support/rooms.ts';

const SEED = 21;
const SHARES = [0.25, 0.5, 0.75];
const FIRST_MINUTE = [15_000, 30_000, 45_000, 60_000];

const simulate = (scenario: Scenario) => simulateSale(toSalePlan(scenario, testRoomDefaults(), SEED));
const changesOf = ({ changes = [] }: Scenario) => changes.map(({ atSeconds }) => atSeconds * 1000);

describe.each([...scenarios.filter(({ isHeldOut }) => !isHeldOut), ...toldScenarios])(
  'the waiting time estimate in a sale: $name',
  (scenario) => {
    let visits: Visit[];
    beforeAll(() => {
      visits = simulate(scenario);
    });

    it('contains 80 % of real waits in its range, with a median error of 15 % and a useful width', () => {
      const verdict = judge(withoutOvertaken(momentsAtShares(visits, SHARES), changesOf(scenario)));
      expect(verdict.count).toBeGreaterThan(500);
      expect(verdict.inside).toBeGreaterThanOrEqual(0.8);
      expect(verdict.medianError).toBeLessThanOrEqual(0.15);
      expect(verdict.medianWidth).toBeLessThanOrEqual(0.6);
    });

    it('does not rise by more than 1 % and 2 s between two estimates without a reason', () => {
      expect(unexplainedRises(visits)).toEqual([]);
    });

    // With arrivals at a constant rate, nobody waits in the first minute.
    if (!('perSecond' in scenario.arrival)) {
      it('is right in the first minute too, with the same error if the settings give the pace', () => {
        const moments = FIRST_MINUTE.flatMap((atMs) => momentsBefore(visits, atMs));
        const verdict = judge(withoutOvertaken(moments, changesOf(scenario)));
        expect(verdict.count).toBeGreaterThan(200);
        expect(verdict.inside).toBeGreaterThanOrEqual(0.8);
        if (scenario.isToldBySettings) expect(verdict.medianError).toBeLessThanOrEqual(0.15);
      });
    }
  },
);

describe('a simulated sale', () => {
  it('gives the same result with the same seed, and another with another', () => {
    const scenario = { ...scenarios[0]!, visitors: 1_000, endsAtSeconds: 1_000 };
    const run = (seed: number) => simulateSale(toSalePlan(scenario, testRoomDefaults(), seed));
    expect(run(1)).toEqual(run(1));
    expect(run(1)).not.toEqual(run(2));
  });
});

function unexplainedRises(visits: readonly Visit[]): string[] {
  return visits.flatMap(({ shown }) =>
    shown.flatMap(({ atMs, wait }, i) => {
      const before = shown[i - 1]?.wait;
      if (before === undefined || !before.known || !wait.known || wait.change !== undefined) return [];
      return wait.seconds > before.seconds * 1.01 + 2 ? [`at ${atMs} ms: ${before.seconds} -> ${wait.seconds} s`] : [];
    }),
  );
}
