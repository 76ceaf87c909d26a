/** What goes wrong in a run, and when: chosen by the seed, so that a run can be repeated without some of it. */
import type { Random } from '../../src/simulate/random.ts';

export type Fault = { at: number } & (
  | { kind: 'lost replies'; process: number }
  | { kind: 'cut'; process: number; forMs: number }
  | { kind: 'slow'; process: number; forMs: number; byMs: number }
  | { kind: 'process killed'; process: number; forMs: number }
  | { kind: 'process stopped'; process: number; forMs: number }
  | { kind: 'store restarted'; forMs: number }
  | { kind: 'store stopped'; forMs: number }
  | { kind: 'store clock'; byMs: number }
  | { kind: 'failover'; afterMs: number; loses: number }
  | { kind: 'failover of a stopped store'; afterMs: number; resumesAfterMs: number; knowsAfterMs: number }
);

export type FaultKind = Fault['kind'];

const KINDS: readonly [weight: number, kind: FaultKind][] = [
  [8, 'lost replies'],
  [3, 'cut'],
  [3, 'slow'],
  [2, 'process killed'],
  [2, 'process stopped'],
  [1, 'store restarted'],
  [2, 'store stopped'],
  [1, 'store clock'],
  [1, 'failover'],
  [2, 'failover of a stopped store'],
];
/** With one of these the store is there or not. With others a process may miss ticks, and does not know who waits. */
export const CLEAN_CUTS: ReadonlySet<FaultKind> = new Set(['lost replies', 'cut', 'process killed', 'store restarted']);
const MOST_FAULTS = 12;

export function chooseFaults(random: Random, processes: number, untilMs: number): Fault[] {
  const faults = Array.from({ length: Math.floor(random() * (MOST_FAULTS + 1)) }, () =>
    chooseFault(random, processes, untilMs),
  );
  return faults.sort((a, b) => a.at - b.at);
}

function chooseFault(random: Random, processes: number, untilMs: number): Fault {
  const between = (low: number, high: number) => Math.round(low + (high - low) * random());
  const base = { at: between(1_000, untilMs), process: between(0, processes - 1), forMs: between(100, 3_000) };
  const kind = chooseKind(random());
  switch (kind) {
    case 'slow':
      return { kind, ...base, byMs: between(50, 400) };
    case 'store clock':
      return { kind, ...base, byMs: between(-3_000, 30_000) };
    case 'failover':
      return { kind, ...base, afterMs: between(1_500, 3_500), loses: random() < 0.5 ? 0 : between(1, 20) };
    case 'failover of a stopped store': {
      const afterMs = between(1_500, 3_500);
      return { kind, ...base, afterMs, resumesAfterMs: afterMs + between(1, 2_500), knowsAfterMs: between(0, 150) };
    }
    default:
      return { kind, ...base } as Fault;
  }
}

function chooseKind(random: number): FaultKind {
  let left = random * KINDS.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, kind] of KINDS) {
    left -= weight;
    if (left < 0) return kind;
  }
  return KINDS[0]![1];
}
