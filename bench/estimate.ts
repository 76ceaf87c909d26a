/**
 * The accuracy of the estimated waits: simulated sales in virtual time, with the real rules. It measures no speed, so it
 * prints the same table on every machine: the table of docs/explanation/waiting-time.md.
 */
import { readConfig } from '../src/config/read-config.ts';
import {
  judge,
  type Moment,
  momentsAtShares,
  momentsBefore,
  withoutOvertaken,
} from '../src/simulate/judge-estimates.ts';
import { simulateSale, type Visit } from '../src/simulate/sale.ts';
import { type Scenario, scenarios, toldScenarios, toSalePlan } from '../src/simulate/scenarios.ts';

/** Held out: the constants of the estimate were tuned on seeds 1 to 5 and 11 to 15. */
const SEEDS = [31, 32, 33, 34, 35];
const SHARES = [0.25, 0.5, 0.75];
const FIRST_MINUTE = [15_000, 30_000, 45_000, 60_000];
const defaults = readConfig({}).line.roomDefaults;

console.log('| sale | at 25 % of the wait | at 50 % | at 75 % | in the first minute | increases explained |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const scenario of [...scenarios, ...toldScenarios]) report(scenario);

function report(scenario: Scenario): void {
  const sales = SEEDS.map((seed) => simulateSale(toSalePlan(scenario, defaults, seed)));
  const name = scenario.isHeldOut ? `${scenario.name} (held out)` : scenario.name;
  row(name, sales, (moments) => moments);
  if (scenario.changes === undefined) return;
  const changesAtMs = scenario.changes.map(({ atSeconds }) => atSeconds * 1000);
  row('… without visits that the change overtook', sales, (moments) => withoutOvertaken(moments, changesAtMs));
}

function row(name: string, sales: Visit[][], choose: (moments: Moment[]) => Moment[]): void {
  const cell = (momentsOf: (visits: Visit[]) => Moment[]) => toCell(choose(sales.flatMap(momentsOf)));
  const cells = SHARES.map((share) => cell((visits) => momentsAtShares(visits, [share])));
  const first = cell((visits) => FIRST_MINUTE.flatMap((atMs) => momentsBefore(visits, atMs)));
  const all = choose(sales.flatMap((visits) => momentsAtShares(visits, SHARES)));
  console.log(`| ${[name, ...cells, first, percent(judge(all).changeTold)].join(' | ')} |`);
}

/** Share within the range, median error, median width. */
function toCell(moments: Moment[]): string {
  if (moments.length === 0) return 'nobody waited';
  const { inside, medianError, medianWidth } = judge(moments);
  return [inside, medianError, medianWidth].map(percent).join(', ');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
