/** What the server sends to the shop: the types of its response schemas. */
import type { Section } from '../../../shop/rules/layout.ts';

export type { SessionAnswer } from '../../../accounts/http/session-answer.ts';
export type { WhoAnswer } from '../../../accounts/http/who-answer.ts';
export type {
  MembershipAnswer,
  MembershipsAnswer,
  OfferAnswer as MembershipOffer,
} from '../../../memberships/http/membership-answer.ts';
export type { PaymentAnswer } from '../../../payments/http/payment-answer.ts';
export type { BuyerAnswer } from '../../../shop/http/buyer-answer.ts';
export type { EventAnswer } from '../../../shop/http/event-answer.ts';
export type { EntryAnswer, ReservationAnswer } from '../../../shop/http/reservation-answer.ts';
export type { TicketAnswer } from '../../../shop/http/ticket-answer.ts';
export type { TransferAnswer } from '../../../transfers/http/transfer-answer.ts';

/** No schema: the server sends the map as prepared bytes. */
export interface SeatMapAnswer {
  currency: string;
  total: number;
  remaining: number;
  /** `seats`: for each row a string of digits, `0` for a free seat. */
  sections: (Section & { seats: string[] })[];
}
