/** What the server sends to this page: types of its response schemas, and those that no file exports yet. */

import type { WrittenEntry } from '../../../identity/audit-entries.ts';
import type { toRoomSummary } from '../../../operations/room-summary.ts';
import type { Span } from '../../../operations/spans.ts';
import type { EventAnswer } from '../../../shop/http/event-answer.ts';
import type { Layout } from '../../../shop/rules/layout.ts';
import type {
  EventStatsAnswer,
  EventsAnswer,
  FiguresAnswer,
  RealtimeAnswer,
} from '../../../stats/http/stats-answer.ts';
import type { SettingFact, SettingValue } from './setting-fact.ts';

export type { LotSourcesAnswer as LotSources } from '../../../line/http/lot-source-answer.ts';
export type { SalesAnswer as Sales, StockAnswer as Stock } from '../../../shop/http/sales-answer.ts';
export type { Layout, Span };

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
  allowedPerSecond: Column;
  noShowsPerMinute: Column;
  waitMiddle: Column;
  waitLast: Column;
}

export interface Overview {
  at: string;
  fault: string | null;
  rooms: RoomSummary[];
  /** Why visitors seem to share an address. */
  addressFindings: {
    cause: 'untrusted_proxy' | 'shared_address' | 'silent_proxy';
    address: string;
    trustProxy: string;
  }[];
  history?: History;
}

export type Figures = FiguresAnswer;
export type Statistics = Omit<EventStatsAnswer, 'eventId'>;
export type Realtime = RealtimeAnswer;
export type StatsEvent = EventsAnswer[number];

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
  hasSecondFactor: boolean;
  /** Name of the identity provider; undefined: there is none. */
  providerName?: string;
}

/** Each may do what the one before may. */
export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

export interface Session {
  signedIn: boolean;
  /** The account that signed in; undefined: no account did. */
  by?: string;
  /** Who is signed in, as in the audit trail. */
  name?: string;
  role?: Role;
  /** What the session of the account still needs. */
  missing?: 'code' | 'enrol';
}

export interface SecondFactor {
  setting: 'optional' | 'required';
  enrolled: boolean;
  recoveryCodesLeft: number;
}

export interface Enrolment {
  secret: string;
  uri: string;
  /** Rows of 1 (dark) and 0. */
  qr: string[];
}

export interface OperatorList {
  accounts: { email: string; role: Role; secondFactor: boolean }[];
  invitations: { email: string; role: Role; invitedAt: string; invitedBy: string }[];
  people: { id: string; name: string; role: Role; by: 'claim' | 'invitation'; lastSignInAt: string }[];
}

export interface ServiceKey {
  name: string;
  role: Role;
  createdAt?: string;
  createdBy?: string;
  expiresAt?: string;
  expired: boolean;
  lastUsedAt?: string;
  lastUsedFrom?: string;
}

export interface AuditChain {
  holds: boolean;
  entries: number;
  head?: string;
  brokenAt?: number;
}
