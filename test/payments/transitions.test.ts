import { describe, expect, it } from 'vitest';
import { type Happening, type PaymentState, transitions } from '../../src/payments/transitions.ts';

const states = Object.keys(transitions) as PaymentState[];

/** The states reachable by one happening. */
function next(state: PaymentState, happening: Happening): PaymentState[] {
  const transition = transitions[state][happening];
  if (transition === 'settle') return ['confirmed', 'refunding'];
  return typeof transition === 'string' ? [state] : [transition.to];
}

describe('the states of a payment', () => {
  it('cover every happening', () => {
    const happenings = ['asked', 'captured', 'declined', 'cancelled', 'refunded'];
    for (const state of states) expect(Object.keys(transitions[state]).sort()).toEqual([...happenings].sort());
  });

  it('leave no capture without a reservation or a refund', () => {
    for (const state of states) {
      for (const to of next(state, 'captured')) expect(['confirmed', 'refunding', 'refunded']).toContain(to);
    }
  });

  it('never lead from a confirmed or refunding payment back to a chargeable one', () => {
    const reached = new Set<PaymentState>(['confirmed']);
    for (const state of reached) {
      for (const happening of Object.keys(transitions[state]) as Happening[]) {
        for (const to of next(state, happening)) reached.add(to);
      }
    }
    expect([...reached].sort()).toEqual(['confirmed', 'refunded', 'refunding']);
  });

  it('end with the refund', () => {
    for (const happening of Object.keys(transitions.refunded) as Happening[]) {
      expect(next('refunded', happening)).toEqual(['refunded']);
    }
  });

  it('allow one confirmation per order', () => {
    const asking = states.filter((state) => next(state, 'asked').includes('confirming') && state !== 'confirming');
    expect(asking).toEqual(['prepared']);
  });
});
