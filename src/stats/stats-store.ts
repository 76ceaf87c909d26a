/** The port to the statistics: counts and sums per event and hour, from which everything else is added up. */
import type { Transaction } from '../platform/database/database.ts';

export interface StatsStore {
  /** In the transaction of the record that is counted. */
  add(tx: Transaction, at: Date, eventId: string | null, counts: Partial<Counts>): Promise<void>;
  addMoney(tx: Transaction, at: Date, eventId: string | null, currency: string, sums: Partial<Sums>): Promise<void>;
  /** Forgets everything, and that anything was counted. */
  clear(): Promise<void>;

  total(span: Span): Promise<Figures>;
  /** Only those in which something happened. */
  listDays(span: Span): Promise<(Figures & { day: string })[]>;
  listHours(span: Span): Promise<(Figures & { hour: string })[]>;
  listEvents(span: Span): Promise<(Figures & { eventId: string })[]>;
}

/** `from` and `to` are days of the zone that days are counted in, both included. */
export interface Span {
  eventId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Instead of days: from this hour on. */
  since?: Date | undefined;
}

export const countNames = [
  'joined',
  'admitted',
  'created',
  'confirmed',
  'cancelled',
  'transfers',
  'transfersCancelled',
  'memberships',
] as const;
export type Counts = Record<(typeof countNames)[number], number>;

export const sumNames = ['revenue', 'refunds', 'transferred', 'memberships'] as const;
export type Sums = Record<(typeof sumNames)[number], number>;

export interface Figures {
  counts: Counts;
  money: (Sums & { currency: string })[];
}
