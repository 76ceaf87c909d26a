/** What the shop's API answers, as far as the pages read it. */

export interface EventAnswer {
  eventId: string;
  title: string;
  artist: string;
  venue: string;
  description: string;
  imageUrl: string | null;
  startsAt: string;
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

export interface PaymentAnswer {
  orderId: string;
  paymentKey: string;
  amount: number;
  status: string;
}
