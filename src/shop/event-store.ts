/**
 * The port to events and their seats. Every verb is one transaction and is safe to repeat after a lost response. Expected
 * outcomes are values; an unavailable database throws.
 */
import type { StockReport } from '../line/model/stock.ts';
import type { Layout, LayoutBody, Section } from './rules/layout.ts';
import type { SeatState } from './rules/seat-map.ts';

export interface EventStore {
  /** Creates the event as a draft, or changes the given fields. */
  putEvent(eventId: string, change: EventChange): Promise<PutEventOutcome>;
  findEvent(eventId: string): Promise<ShopEvent | undefined>;
  /** The public events, by start time; at most one page. */
  listEvents(): Promise<ShopEvent[]>;
  /** The same, including drafts. */
  listAllEvents(): Promise<ShopEvent[]>;
  /** What was sold and what is left. */
  readSales(eventId: string): Promise<Sales | undefined>;
  /** Puts it on sale. */
  openEvent(eventId: string): Promise<MoveEventOutcome>;
  /** Ends the sale for good. The role `keeper` refunds the buyers. */
  cancelEvent(eventId: string): Promise<MoveEventOutcome>;

  putLayout(layoutId: string, layout: LayoutBody): Promise<void>;
  listLayouts(): Promise<Layout[]>;
  /** Replaces the seats and standing tickets of a draft by those of a layout. */
  generateSeats(eventId: string, layoutId: string): Promise<GenerateOutcome>;

  /** The seats and standing tickets left and held. A sale that is over has none left. */
  readStock(eventId: string): Promise<SaleReport | undefined>;
  /** Whether and why the sale is over; null also for an unknown event. */
  readOver(eventId: string): Promise<SaleOver>;
  /** All seats, in section order. */
  readSeats(eventId: string): Promise<SeatsSnapshot | undefined>;
  /** All changes since an earlier read; can repeat changes that were already read. */
  readChanges(eventId: string, since: string): Promise<SeatChanges | undefined>;
}

export type SaleState = 'draft' | 'open' | 'cancelled';

/** Why nothing can be bought any more; null while the sale is not over. */
export type SaleOver = 'ended' | 'cancelled' | null;

export interface SaleReport extends StockReport {
  over: SaleOver;
}

export interface EventFields {
  title: string;
  artist: string;
  venue: string;
  description: string;
  imageUrl: string | null;
  startsAt: string;
  /** When the public sale begins; null: as soon as the event is open. */
  onSaleAt: string | null;
  /** When the sale ends; null: when the event starts. */
  salesEndAt: string | null;
  /** IANA name of the zone of the venue, in which the times are shown. */
  timeZone: string;
  currency: string;
  maxPerPerson: number;
}
export type EventChange = Partial<EventFields>;

export interface ShopEvent extends EventFields {
  eventId: string;
  state: SaleState;
  /** When the presale for members begins, computed at the last change of the event; null without a presale. */
  membersFrom: string | null;
  /** Of the cheapest and the most expensive ticket; null without tickets. */
  prices: { low: number; high: number } | null;
  /** Of the seats. */
  sections: Pick<Section, 'id' | 'name' | 'price'>[];
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

/** The sales of an event, for operators. */
export interface Sales {
  currency: string;
  /** Paid reservations. */
  purchases: number;
  /** Net: gross without refunds. */
  revenue: number;
  /** As the statistics count them. */
  grossRevenue: number;
  refunds: number;
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
  /** Held while buyers pay. */
  held: number;
}

export interface SeatsSnapshot {
  generation: number;
  currency: string;
  sections: Section[];
  /** By seat id; all others are free. */
  states: Map<string, SeatState>;
  since: string;
  over: SaleOver;
}

export interface SeatChanges {
  generation: number;
  over: SaleOver;
  changes: [seatId: string, state: SeatState][];
  since: string;
}

export type PutEventOutcome =
  | { outcome: 'created' | 'changed'; event: ShopEvent }
  | { outcome: 'missing'; fields: string[] }
  | { outcome: 'fixed'; fields: string[] }
  /** The sale would begin after the event. */
  | { outcome: 'on-sale-too-late'; startsAt: string }
  /** The sale would end before it begins. */
  | { outcome: 'sale-ends-too-early'; onSaleAt: string };
export type MoveEventOutcome =
  | { outcome: 'done' | 'already' }
  | { outcome: 'no-event' | 'cancelled' | 'nothing-to-sell' };
export type GenerateOutcome =
  | { outcome: 'generated'; event: ShopEvent }
  | { outcome: 'no-event' }
  | { outcome: 'no-layout' }
  | { outcome: 'on-sale' };
