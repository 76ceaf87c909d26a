/** The changes of a membership in the transaction of its payment, or of the payment's record. */
import type { Transaction } from '../../platform/database/database.ts';
import type { PayableChanges } from '../../shop/payables.ts';
import type { Membership } from '../membership-store.ts';
import * as statements from './membership-statements.ts';

export interface MembershipChanges extends PayableChanges {
  /** undefined if it was not paid. */
  activate(tx: Transaction, membershipId: string, now: Date): Promise<Membership | undefined>;
}

const STATES = { pending: 'held', paid: 'confirmed', active: 'confirmed', cancelled: 'cancelled' } as const;

export function createMembershipChanges(days: number): MembershipChanges {
  return {
    async find(tx, id) {
      const found = await statements.findMembership(tx, id);
      if (found === undefined) return undefined;
      const { userId: visitor, amount, currency, state } = found;
      const nothing = { admission: null, reservationId: null, eventId: null };
      return { visitor, ...nothing, amount, currency, state: STATES[state] };
    },
    async keep(tx, id) {
      const found = await statements.findMembership(tx, id);
      return { outcome: found?.state === 'pending' ? 'kept' : 'ended' };
    },
    confirm: (tx, id) => statements.move(tx, id, 'pending', 'paid'),
    async cancel(tx, id) {
      const isBefore = await statements.move(tx, id, 'paid', 'cancelled');
      return isBefore || statements.move(tx, id, 'active', 'cancelled');
    },
    activate: (tx, id, now) => statements.activate(tx, id, now, days),
  };
}
