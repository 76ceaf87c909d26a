/** What the server sends to the shop: types of its response schemas, and those that no file exports yet. */
import type { PaymentAnswer } from '../../../payments/http/payment-answer.ts';
import type { EventAnswer } from '../../../shop/http/event-answer.ts';
import type { ReservationAnswer } from '../../../shop/http/reservation-answer.ts';
import type { Section } from '../../../shop/rules/layout.ts';

export type { EventAnswer, PaymentAnswer, ReservationAnswer };

export interface WhoAnswer {
  kind: 'user' | 'guest';
  email?: string;
}

export interface SeatMapAnswer {
  currency: string;
  total: number;
  remaining: number;
  /** `seats`: for each row a string of digits, `0` for a free seat. */
  sections: (Section & { seats: string[] })[];
}

export interface TransferAnswer {
  transferId: string;
  eventId: string;
  seats: ReservationAnswer['seats'];
  tickets: ReservationAnswer['tickets'];
  price: number;
  currency: string;
  status: 'listed' | 'paid' | 'completed' | 'cancelled';
  reservationId?: string;
  role?: 'seller' | 'buyer';
}

export interface MembershipOffer {
  amount: number;
  currency: string;
  days: number;
  presaleHours: number;
}

export interface MembershipAnswer {
  membershipId: string;
  status: 'pending' | 'paid' | 'active' | 'cancelled';
  amount: number;
  currency: string;
  endsAt?: string;
}

export interface MembershipsAnswer {
  isMember: boolean;
  memberships: MembershipAnswer[];
}
