/** The port to the statistics: counts and sums per event and hour. All other figures are sums of these. */
import type { Transaction } from '../platform/database/database.ts';
import type { Counts, Figures, Sums } from './figures.ts';

export interface StatsStore {
  /** In the transaction that marks the records as processed. */
  add(tx: Transaction, additions: readonly Addition[]): Promise<void>;
  /** Deletes all figures, and the marks of the counted records. */
  clear(): Promise<void>;

  total(span: Span): Promise<Figures>;
  /** Only days with activity. */
  listDays(span: Span): Promise<(Figures & { day: string })[]>;
  listHours(span: Span): Promise<(Figures & { hour: string })[]>;
  listEvents(span: Span): Promise<(Figures & { eventId: string })[]>;
}

export interface Addition {
  at: Date;
  /** null: no event. */
  eventId: string | null;
  counts?: Partial<Counts>;
  money?: Partial<Sums> & { currency: string };
}

/** `from` and `to` are days in the configured time zone, both inclusive. */
export interface Span {
  eventId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Instead of days: from this time on. */
  since?: Date | undefined;
}
