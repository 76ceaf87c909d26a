/**
 * How good the waiting times are that visitors are shown: simulated sales in virtual time, by the real rules. Not a
 * measurement of speed; the same on every machine.
 */
import { readConfig } from '../src/config.ts';
import {
  judge,
  type Moment,
  momentsAtShares,
  momentsBefore,
  withoutOvertaken,
} from '../src/simulate/judge-estimates.ts';
import { simulateSale } from '../src/simulate/sale.ts';
import { type Scenario, scenarios, toSalePlan } from '../src/simulate/scenarios.ts';

const SEEDS = [1, 2, 3, 4, 5];
const FIRST_MINUTE = [15_000, 30_000, 45_000, 60_000];
const defaults = readConfig({}).line.roomDefaults;

console.log('| sale | shown | statements | in the range | median error | median width |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const scenario of scenarios) {
  const sales = SEEDS.map((seed) => simulateSale(toSalePlan(scenario, defaults, seed)));
  for (const share of [0.25, 0.5, 0.75]) {
    report(
      scenario,
      `at ${share * 100} % of the wait`,
      sales.flatMap((visits) => momentsAtShares(visits, [share])),
    );
  }
  report(
    scenario,
    'in the first minute',
    sales.flatMap((visits) => FIRST_MINUTE.flatMap((at) => momentsBefore(visits, at))),
  );
}

function report({ name, changes }: Scenario, when: string, moments: Moment[]): void {
  row(name, when, moments);
  if (changes === undefined) return;
  row(
    name,
    `${when}, not overtaken`,
    withoutOvertaken(
      moments,
      changes.map(({ atSeconds }) => atSeconds * 1000),
    ),
  );
}

function row(name: string, when: string, moments: Moment[]): void {
  if (moments.length === 0) return;
  const { count, inside, medianError, medianWidth } = judge(moments);
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  console.log(
    `| ${name} | ${when} | ${count} | ${percent(inside)} | ${percent(medianError)} | ${percent(medianWidth)} |`,
  );
}
