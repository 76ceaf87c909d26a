/** What the server sends to this page: types of its response schemas, and those that no file exports yet. */
import type { WrittenEntry } from '../../../identity/audit-entries.ts';
import type { toRoomSummary } from '../../../operations/room-summary.ts';
import type { EventAnswer } from '../../../shop/http/event-answer.ts';
import type { Layout } from '../../../shop/rules/layout.ts';
import type { Conversion } from '../../../stats/conversion.ts';
import type { SettingFact, SettingValue } from './setting-fact.ts';

export type { Layout };

export type AuditEntry = WrittenEntry;
export type RoomSummary = ReturnType<typeof toRoomSummary>;
export type Phase = RoomSummary['phase'];
export type Numbering = NonNullable<RoomSummary['tier1']>;
export type ShopEvent = EventAnswer;

export type Column = (number | null)[];
export interface History {
  at: number[];
  waiting: Column;
  inside: Column;
  limit: Column;
  admittedPerSecond: Column;
  noShowsPerMinute: Column;
  waitMiddle: Column;
  waitLast: Column;
}

export interface Overview {
  at: string;
  fault: string | null;
  rooms: RoomSummary[];
  history?: History;
}

export interface Stock {
  kind: 'seats' | 'standing';
  id: string;
  name: string;
  price: number;
  total: number;
  sold: number;
  held: number;
}
export interface Sales {
  currency: string;
  purchases: number;
  revenue: number;
  stock: Stock[];
}

/** Counts and sums of a time span or an event. */
export interface Figures {
  counts: {
    joined: number;
    admitted: number;
    created: number;
    confirmed: number;
    cancelled: number;
    transfers: number;
    memberships: number;
  };
  money: { currency: string; revenue: number; refunds: number; transferred: number; memberships: number }[];
}
export interface Statistics extends Figures {
  conversion: Conversion;
  daily: (Figures & { day: string })[];
  hourly: (Figures & { hour: string })[];
}
export interface Realtime {
  hourly: Statistics['hourly'];
  /** Records that are not counted yet. */
  behind: number;
}
export type StatsEvent = Figures & { eventId: string };

export interface Draw {
  state: 'announced' | 'drawing' | 'drawn';
  commitment: string;
  opensAt: string;
  entries?: number;
}

export interface AdminFacts {
  settings: SettingFact[];
  roomDefaults: Record<string, SettingValue>;
  hasShop: boolean;
}
