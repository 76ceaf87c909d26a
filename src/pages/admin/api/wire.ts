/** What the server tells the page. */

import type { Layout } from '../../../shop/rules/layout.ts';
import type { Conversion } from '../../../stats/conversion.ts';
import type { SettingFact, SettingValue } from './setting-fact.ts';

export type { Layout };

export type Phase = 'not_open' | 'open' | 'paused' | 'closed';

export interface Message {
  ko?: string;
  en?: string;
}

export interface Numbering {
  state: string;
  nextPosition: number;
  servingCounter: number;
  waitingCount: number;
}

export interface RoomSummary {
  eventId: string;
  phase: Phase;
  waiting: number;
  admitted: number;
  active: number;
  limit: number;
  admittedPerSecond: number | null;
  wait: { middle: number | null; last: number | null };
  order: 'fifo' | 'draw';
  draw: 'announced' | 'drawing' | 'drawn' | null;
  settings: { message?: Message; opensAt?: string };
  /** What was set for this room; `message` is no plain value. */
  overrides: Record<string, unknown>;
  tier1: Numbering | null;
  alarms: string[];
}

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

export interface ShopEvent {
  eventId: string;
  title: string;
  artist: string;
  venue: string;
  description: string;
  imageUrl: string | null;
  startsAt: string;
  currency: string;
  maxPerPerson: number;
  state: 'draft' | 'open' | 'cancelled';
  seats: { total: number; remaining: number };
  standing: { total: number; remaining: number }[];
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

/** What was counted of some time, or of some event. */
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

export interface AuditEntry {
  at: string;
  action: string;
  eventId?: string;
  by?: string;
  from: string;
  details: Record<string, unknown>;
}

export interface AdminFacts {
  settings: SettingFact[];
  roomDefaults: Record<string, SettingValue>;
  hasShop: boolean;
}
