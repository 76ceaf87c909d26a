import type { Counters, Tier1State } from '../model/counters.ts';

/** One step of activating or deactivating. It applies only if tier 1 is still in the state in which the step begins. */
export type StateMove =
  /** `after`: the previous activation, undefined for an event that never had one. */
  | { to: 'opening'; activation: string; after: string | undefined }
  /** `base`: the last number that the line assigned; positions continue after it. */
  | { to: 'active'; activation: string; base: number }
  | { to: 'closing'; activation: string }
  | { to: 'inactive'; activation: string };

const BEGINS_AT: Readonly<Record<StateMove['to'], readonly Tier1State[]>> = {
  opening: ['inactive'],
  active: ['opening'],
  closing: ['opening', 'active'],
  inactive: ['closing'],
};

/** The counters after the step; undefined if it does not apply. */
export function move(
  eventId: string,
  counters: Counters | undefined,
  step: StateMove,
  now: number,
): Counters | undefined {
  if (step.to === 'opening') {
    if (counters?.activation !== step.after) return undefined;
    if (counters !== undefined && !beginsAt(step).includes(counters.state)) return undefined;
    const { activation } = step;
    return { eventId, activation, state: 'opening', nextPosition: 0, servingCounter: 0, advancedAt: now };
  }
  if (counters?.activation !== step.activation || !beginsAt(step).includes(counters.state)) return undefined;
  if (step.to !== 'active') return { ...counters, state: step.to };
  return { ...counters, state: 'active', nextPosition: step.base, servingCounter: step.base, advancedAt: now };
}

export function beginsAt({ to }: StateMove): readonly Tier1State[] {
  return BEGINS_AT[to];
}
