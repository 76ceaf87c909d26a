/**
 * The port to memberships. A membership is subscribed, paid, and then active for a period. Every verb is one transaction and is
 * safe to repeat.
 */
export interface MembershipStore {
  /** Returns the unpaid membership of the user, or creates one. */
  subscribe(userId: string): Promise<Membership>;
  /** Newest first; at most one page. */
  listOf(userId: string): Promise<Membership[]>;
  /** Whether the user has an active membership. */
  isMember(userId: string): Promise<boolean>;
}

export type MembershipState =
  /** Not paid yet. */
  | 'pending'
  /** Paid, not active yet. */
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
  /** Set once active. A membership bought before the previous one ends starts at that end. */
  startsAt: number | undefined;
  endsAt: number | undefined;
}
