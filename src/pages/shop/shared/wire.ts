/** What the shop's API answers, as far as the pages read it. */

export interface WhoAnswer {
  kind: 'user' | 'guest';
  email?: string;
}

export interface EventAnswer {
  eventId: string;
  title: string;
  artist: string;
  venue: string;
  description: string;
  imageUrl: string | null;
  startsAt: string;
  /** When everybody may buy, and members before; null: at once. */
  onSaleAt: string | null;
  membersFrom: string | null;
  currency: string;
  maxPerPerson: number;
  state: 'open' | 'cancelled';
  prices: { low: number; high: number } | null;
  seats: { total: number; remaining: number };
  standing: { typeId: string; name: string; price: number; total: number; remaining: number }[];
}

export interface SeatMapAnswer {
  currency: string;
  total: number;
  remaining: number;
  sections: { id: string; name: string; rows: number; seatsPerRow: number; price: number; seats: string[] }[];
}

export interface ReservationAnswer {
  reservationId: string;
  eventId: string;
  status: 'held' | 'confirmed' | 'expired' | 'cancelled';
  seats: { seatId: string; section: string; row: number; number: number; price: number }[];
  tickets: { typeId: string; name: string; quantity: number; price: number }[];
  amount: number;
  currency: string;
  createdAt: string;
  remainingSeconds?: number;
  ticket?: { code: string; qr?: string };
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

export interface PaymentAnswer {
  orderId: string;
  paymentKey: string;
  amount: number;
  status: string;
}
