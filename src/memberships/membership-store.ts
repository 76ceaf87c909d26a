/**
 * The port to memberships: subscribed to, paid for, and active for a time from when the record of the payment came.
 * Every verb is one transaction and may be repeated.
 */
export interface MembershipStore {
  /** The membership that the user is about to pay for: the one there is, or a new one. */
  subscribe(userId: string): Promise<Membership>;
  /** The latest first; a bounded number. */
  listOf(userId: string): Promise<Membership[]>;
  /** Whether the user has the benefits of members now. */
  isMember(userId: string): Promise<boolean>;
}

export type MembershipState =
  /** Not paid yet. */
  | 'pending'
  /** Paid and about to be active. */
  | 'paid'
  | 'active'
  | 'cancelled';

export interface Membership {
  membershipId: string;
  userId: string;
  state: MembershipState;
  amount: number;
  currency: string;
  createdAt: number;
  /** Of an active one. One that is bought before the last has ended begins when that ends. */
  startsAt: number | undefined;
  endsAt: number | undefined;
}
