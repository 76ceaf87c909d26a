import { describe, expect, it } from 'vitest';
import { type Happening, type PaymentState, transitions } from '../../src/payments/transitions.ts';

const states = Object.keys(transitions) as PaymentState[];

/** Where a state can lead to by one happening. */
function next(state: PaymentState, happening: Happening): PaymentState[] {
  const transition = transitions[state][happening];
  if (transition === 'settle') return ['confirmed', 'refunding'];
  return typeof transition === 'string' ? [state] : [transition.to];
}

describe('the states of a payment', () => {
  it('answer every happening', () => {
    const happenings = ['asked', 'captured', 'declined', 'cancelled', 'refunded'];
    for (const state of states) expect(Object.keys(transitions[state]).sort()).toEqual([...happenings].sort());
  });

  it('leave no captured money without a reservation or a refund', () => {
    for (const state of states) {
      for (const to of next(state, 'captured')) expect(['confirmed', 'refunding', 'refunded']).toContain(to);
    }
  });

  it('never lead from a confirmed or refunding payment back to one that may be charged', () => {
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

  it('ask for money only once per order', () => {
    const asking = states.filter((state) => next(state, 'asked').includes('confirming') && state !== 'confirming');
    expect(asking).toEqual(['prepared']);
  });
});
