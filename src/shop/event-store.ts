/**
 * The port to where events and their seats are kept. Every verb is one transaction and may be repeated blindly after a
 * lost reply. Expected outcomes are values; a database that cannot be asked throws.
 */
import type { StockReport } from '../line/model/stock.ts';
import type { Layout, LayoutBody, Section } from './rules/layout.ts';
import type { SeatState } from './rules/seat-map.ts';

export interface EventStore {
  /** Creates the event, as a draft, or changes some of its fields. */
  putEvent(eventId: string, change: EventChange): Promise<PutEventOutcome>;
  findEvent(eventId: string): Promise<ShopEvent | undefined>;
  /** Those that the public may see, the next to start first; a bounded number. */
  listEvents(): Promise<ShopEvent[]>;
  /** The same with drafts, the next to start first. */
  listAllEvents(): Promise<ShopEvent[]>;
  /** What was sold of it and what is left. */
  readSales(eventId: string): Promise<Sales | undefined>;
  /** Puts it on sale. */
  openEvent(eventId: string): Promise<MoveEventOutcome>;
  /** Ends the sale for good. Whoever has bought is refunded by and by, by the role that settles payments. */
  cancelEvent(eventId: string): Promise<MoveEventOutcome>;

  putLayout(layoutId: string, layout: LayoutBody): Promise<void>;
  listLayouts(): Promise<Layout[]>;
  /** Makes the seats and standing tickets of a draft from a layout, in place of those it had. */
  generateSeats(eventId: string, layoutId: string): Promise<GenerateOutcome>;

  /** What is left and what is held, seats and standing tickets alike; nothing is left of a sale that was cancelled. */
  readStock(eventId: string): Promise<StockReport | undefined>;
  /** All seats, in the order of the sections. */
  readSeats(eventId: string): Promise<SeatsSnapshot | undefined>;
  /** What has changed since an earlier look; some of it may be known already, nothing is left out. */
  readChanges(eventId: string, since: string): Promise<SeatChanges | undefined>;
}

export type SaleState = 'draft' | 'open' | 'cancelled';

export interface EventFields {
  title: string;
  artist: string;
  venue: string;
  description: string;
  imageUrl: string | null;
  startsAt: string;
  /** When everybody may buy; null: as soon as it is open. */
  onSaleAt: string | null;
  currency: string;
  maxPerPerson: number;
}
export type EventChange = Partial<EventFields>;

export interface ShopEvent extends EventFields {
  eventId: string;
  state: SaleState;
  /** From when members may buy, as it was when the event was last changed; null where nobody comes before others. */
  membersFrom: string | null;
  /** Of the cheapest and the dearest ticket; null while there is none. */
  prices: { low: number; high: number } | null;
  seats: { total: number; remaining: number };
  standing: TicketType[];
}

export interface TicketType {
  typeId: string;
  name: string;
  price: number;
  total: number;
  remaining: number;
}

/** How the sale of an event stands, for its operators. */
export interface Sales {
  currency: string;
  /** Reservations that are paid, and what was paid for them. */
  purchases: number;
  revenue: number;
  /** Sections of seats, then standing tickets. */
  stock: Stock[];
}

export interface Stock {
  kind: 'seats' | 'standing';
  id: string;
  name: string;
  price: number;
  total: number;
  sold: number;
  /** Held by whoever is about to pay. */
  held: number;
}

export interface SeatsSnapshot {
  generation: number;
  currency: string;
  sections: Section[];
  /** By seat id; those that are not named are free. */
  states: Map<string, SeatState>;
  since: string;
}

export interface SeatChanges {
  generation: number;
  changes: [seatId: string, state: SeatState][];
  since: string;
}

export type PutEventOutcome =
  | { outcome: 'created' | 'changed'; event: ShopEvent }
  | { outcome: 'missing'; fields: string[] }
  | { outcome: 'fixed'; fields: string[] }
  /** Would go on sale only once it has begun. */
  | { outcome: 'on-sale-too-late'; startsAt: string };
export type MoveEventOutcome =
  | { outcome: 'done' | 'already' }
  | { outcome: 'no-event' | 'cancelled' | 'nothing-to-sell' };
export type GenerateOutcome =
  | { outcome: 'generated'; event: ShopEvent }
  | { outcome: 'no-event' }
  | { outcome: 'no-layout' }
  | { outcome: 'on-sale' };
