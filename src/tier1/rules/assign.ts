import type { Counters } from '../model/counters.ts';

export interface Assigned {
  counters: Counters;
  /** In the order of the devices. */
  positions: number[];
  /** The new assignments. */
  fresh: Map<string, number>;
}

/** One position per device: the one it has, or the next. Undefined while tier 1 is not active. */
export function assign(
  counters: Counters,
  devices: readonly string[],
  known: (device: string) => number | undefined,
): Assigned | undefined {
  if (counters.state !== 'active') return undefined;
  const fresh = new Map<string, number>();
  let { nextPosition } = counters;
  const positions = devices.map((device) => {
    const has = known(device) ?? fresh.get(device);
    if (has !== undefined) return has;
    nextPosition += 1;
    fresh.set(device, nextPosition);
    return nextPosition;
  });
  return { counters: { ...counters, nextPosition }, positions, fresh };
}
