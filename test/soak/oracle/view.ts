/** The history, sorted and indexed for the checks. Pure. */
import type {
  Asked,
  Complained,
  Ended,
  Entered,
  Faulted,
  History,
  HistoryEntry,
  LateSeen,
  Operated,
  ReadinessSeen,
  Recorded,
  RunFacts,
  Sampled,
  ShopAsked,
  Stalled,
} from '../history.ts';

export interface View {
  facts: RunFacts;
  asked: readonly Asked[];
  /** By visitor, in the order of sending. */
  askedBy: ReadonlyMap<string, readonly Asked[]>;
  shop: readonly ShopAsked[];
  shopBy: ReadonlyMap<string, readonly ShopAsked[]>;
  operated: readonly Operated[];
  faults: readonly Faulted[];
  /** By event, in the order of admission. */
  entries: ReadonlyMap<string, readonly Entered[]>;
  samples: ReadonlyMap<string, readonly Sampled[]>;
  readiness: readonly ReadinessSeen[];
  stalls: readonly Stalled[];
  late: readonly LateSeen[];
  records: readonly Recorded[];
  complaints: readonly Complained[];
  end: Ended | undefined;
}

export function createView({ facts, entries }: History): View {
  const of = <K extends HistoryEntry['kind']>(kind: K) =>
    entries.filter((entry): entry is Extract<HistoryEntry, { kind: K }> => entry.kind === kind);
  const asked = of('asked').sort((a, b) => a.at - b.at || a.until - b.until);
  const shop = of('shop').sort((a, b) => a.at - b.at);
  return {
    facts,
    asked,
    askedBy: groupBy(asked, ({ visitor }) => visitor),
    shop,
    shopBy: groupBy(shop, ({ visitor }) => visitor),
    operated: of('operated').sort((a, b) => a.at - b.at),
    faults: of('fault').sort((a, b) => a.at - b.at),
    entries: groupBy(of('entry').sort(byStreamId), ({ eventId }) => eventId),
    samples: groupBy(
      of('sample').sort((a, b) => a.at - b.at),
      ({ eventId }) => eventId,
    ),
    readiness: of('ready'),
    stalls: of('stall').sort((a, b) => a.at - b.at),
    late: of('late'),
    records: of('record'),
    complaints: of('complaint'),
    end: of('end').at(-1),
  };
}

export function groupBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** Ids of a Redis stream: milliseconds, a hyphen, a count. */
function byStreamId(a: Entered, b: Entered): number {
  const [aMs = 0, aNo = 0] = a.id.split('-').map(Number);
  const [bMs = 0, bNo = 0] = b.id.split('-').map(Number);
  return aMs - bMs || aNo - bNo;
}

/** After a fault its echo may last: connections time out, leases run out, backlogs are worked off. */
const ECHO_MS = 10_000;

/** Whether a fault of these areas lay in, or shortly before, the time from `from` to `to`. */
export function isDisturbed(view: View, from: number, to: number, areas?: readonly string[]): boolean {
  return view.faults.some(
    ({ area, at, until, recoveredAt }) =>
      (areas === undefined || areas.includes(area)) &&
      at <= to &&
      Math.max(until, recoveredAt ?? Number.POSITIVE_INFINITY) + ECHO_MS >= from,
  );
}

/** Whether the store may have forgotten an acknowledged write between these times. */
export function mayHaveForgotten(view: View, from: number, to: number): boolean {
  return (
    view.facts.mayLoseWrites &&
    view.faults.some(({ area, at, until }) => area === 'redis' && at <= to && until + ECHO_MS >= from)
  );
}

/** Whether this start of a process was hit by a fault between these times. */
export function wasHit(view: View, incarnation: string, from: number, to: number): boolean {
  const name = incarnation.split('.')[0]!;
  return view.faults.some(
    ({ target, at, until }) =>
      (target === name || target === 'all lines') && at - 1_000 <= to && until + ECHO_MS >= from,
  );
}
