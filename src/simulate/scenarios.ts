/** The sales against which the waiting time estimate is tested. */
import type { RoomOverrides, RoomSettings } from '../line/model/room-settings.ts';
import { createRandom, exponential, logNormal, type Random } from './random.ts';
import type { SalePlan, VisitorPlan } from './sale.ts';

export interface Scenario {
  name: string;
  visitors: number;
  /** Everyone within this many seconds of the opening, or at a constant rate. */
  arrival: { withinSeconds: number } | { perSecond: number };
  settings: RoomOverrides;
  shopping: Shopping;
  /** Share of visitors who abandon the line, half of them silently. */
  dropOut?: { share: number; meanSeconds: number };
  changes?: { atSeconds: number; overrides: RoomOverrides }[];
  endsAtSeconds: number;
  /** The pace is known from the settings: by a rate, or by sessions twice as long as visitors stay. */
  isToldBySettings?: true;
  /** Not used while tuning the constants of the estimate. */
  isHeldOut?: true;
}

export interface Shopping {
  medianSeconds: number;
  spread: number;
  /** Visitors who find nothing they want and leave soon. */
  bounce?: { share: number; medianSeconds: number };
  /** Everyone leaves silently: slots are freed after activeTtlMs without a sign of life. */
  vanish?: boolean;
}

const TICK_MS = 1_000;
const usual = { medianSeconds: 220, spread: 0.6 };
const atOpening = { withinSeconds: 60 };

export const scenarios: readonly Scenario[] = [
  {
    name: 'steady: 2 a second come, the room serves 1.5',
    visitors: 10_000,
    arrival: { perSecond: 2 },
    settings: { maxActive: 400 },
    shopping: usual,
    endsAtSeconds: 9_000,
  },
  {
    name: 'burst: all within a minute of opening',
    visitors: 8_000,
    arrival: atOpening,
    settings: { maxActive: 400 },
    shopping: usual,
    endsAtSeconds: 7_200,
  },
  {
    name: 'burst, sessions set to twice the usual stay',
    visitors: 8_000,
    arrival: atOpening,
    settings: { maxActive: 400, activeTtlMs: 530_000 },
    shopping: usual,
    endsAtSeconds: 7_200,
    isToldBySettings: true,
  },
  {
    name: 'burst, quick shoppers',
    visitors: 8_000,
    arrival: atOpening,
    settings: { maxActive: 300 },
    shopping: { medianSeconds: 120, spread: 0.6 },
    endsAtSeconds: 6_000,
  },
  {
    name: 'burst, slow shoppers',
    visitors: 5_000,
    arrival: atOpening,
    settings: { maxActive: 400 },
    shopping: { medianSeconds: 480, spread: 0.5 },
    endsAtSeconds: 9_000,
  },
  {
    name: 'burst, 20 a second at most',
    visitors: 20_000,
    arrival: atOpening,
    settings: { maxActive: 8_000, admitPerSecond: 20 },
    shopping: usual,
    endsAtSeconds: 3_600,
    isToldBySettings: true,
  },
  {
    name: '30 % drop out, half of them silently',
    visitors: 8_000,
    arrival: atOpening,
    settings: { maxActive: 400 },
    shopping: usual,
    dropOut: { share: 0.3, meanSeconds: 900 },
    endsAtSeconds: 7_200,
  },
  {
    name: 'limit halved in the middle',
    visitors: 6_000,
    arrival: atOpening,
    settings: { maxActive: 400 },
    shopping: usual,
    changes: [{ atSeconds: 1_500, overrides: { maxActive: 200 } }],
    endsAtSeconds: 9_000,
  },
  {
    name: 'limit doubled in the middle',
    visitors: 8_000,
    arrival: atOpening,
    settings: { maxActive: 300 },
    shopping: usual,
    changes: [{ atSeconds: 1_500, overrides: { maxActive: 600 } }],
    endsAtSeconds: 9_000,
  },
  {
    name: 'paused for 5 minutes in the middle',
    visitors: 8_000,
    arrival: atOpening,
    settings: { maxActive: 400 },
    shopping: usual,
    changes: [
      { atSeconds: 1_800, overrides: { state: 'paused' } },
      { atSeconds: 2_100, overrides: { state: 'open' } },
    ],
    endsAtSeconds: 9_000,
  },
  {
    name: 'burst, shoppers of all kinds',
    visitors: 8_000,
    arrival: atOpening,
    settings: { maxActive: 400 },
    shopping: { medianSeconds: 180, spread: 0.9 },
    endsAtSeconds: 9_000,
  },
  {
    name: 'burst, every session 5 minutes, nobody says goodbye',
    visitors: 8_000,
    arrival: atOpening,
    settings: { maxActive: 400, activeTtlMs: 300_000, renew: false },
    shopping: { medianSeconds: 100_000, spread: 0.1 },
    endsAtSeconds: 9_000,
  },
  {
    name: 'burst, small room, half go after 40 s, half take 6 minutes',
    visitors: 3_000,
    arrival: atOpening,
    settings: { maxActive: 150 },
    shopping: { medianSeconds: 360, spread: 0.5, bounce: { share: 0.5, medianSeconds: 40 } },
    endsAtSeconds: 9_000,
    isHeldOut: true,
  },
  {
    name: 'burst, people vanish, and are let go 2 minutes later',
    visitors: 6_000,
    arrival: atOpening,
    settings: { maxActive: 300, activeTtlMs: 120_000 },
    shopping: { medianSeconds: 150, spread: 0.75, vanish: true },
    endsAtSeconds: 9_000,
    isHeldOut: true,
  },
];

/** Mean stay of the `usual` shoppers, as an earlier sale or a rehearsal would show it. */
const USUAL_STAY_MS = 263_000;

/** The same sales with `expectedStayMs` set by the operator. */
export const toldScenarios: readonly Scenario[] = scenarios
  .filter(({ shopping, isToldBySettings }) => shopping === usual && !isToldBySettings)
  .map((scenario) => ({
    ...scenario,
    name: `${scenario.name}; expectedStayMs set`,
    settings: { ...scenario.settings, expectedStayMs: USUAL_STAY_MS },
    isToldBySettings: true,
  }));

export function toSalePlan(scenario: Scenario, defaults: RoomSettings, seed: number): SalePlan {
  const random = createRandom(seed);
  return {
    settings: { ...defaults, ...scenario.settings },
    tickMs: TICK_MS,
    visitors: Array.from({ length: scenario.visitors }, () => toVisitor(scenario, random)).sort(
      (a, b) => a.comesAtMs - b.comesAtMs,
    ),
    changes: (scenario.changes ?? []).map(({ atSeconds, overrides }) => ({ atMs: atSeconds * 1000, overrides })),
    sampleEvery: 20,
    endsAtMs: scenario.endsAtSeconds * 1000,
  };
}

function toVisitor({ arrival, visitors, shopping, dropOut }: Scenario, random: Random): VisitorPlan {
  const withinSeconds = 'withinSeconds' in arrival ? arrival.withinSeconds : visitors / arrival.perSecond;
  const visitor: VisitorPlan = {
    comesAtMs: Math.floor(random() * withinSeconds * 1000),
    shopsMs: logNormal(random, medianOf(shopping, random) * 1000, shopping.spread),
    vanishes: shopping.vanish === true,
  };
  if (dropOut === undefined || random() >= dropOut.share) return visitor;
  return {
    ...visitor,
    givesUp: { afterMs: exponential(random, dropOut.meanSeconds * 1000), silently: random() < 0.5 },
  };
}

function medianOf({ medianSeconds, bounce }: Shopping, random: Random): number {
  return bounce !== undefined && random() < bounce.share ? bounce.medianSeconds : medianSeconds;
}
