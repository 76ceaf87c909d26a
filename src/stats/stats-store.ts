/** The port to the statistics: counts and sums per event and hour, from which everything else is added up. */
import type { Transaction } from '../platform/database/database.ts';
import type { Counts, Figures, Sums } from './figures.ts';

export interface StatsStore {
  /** In the transaction of the records that are counted. */
  add(tx: Transaction, additions: readonly Addition[]): Promise<void>;
  /** Forgets everything, and that anything was counted. */
  clear(): Promise<void>;

  total(span: Span): Promise<Figures>;
  /** Only those in which something happened. */
  listDays(span: Span): Promise<(Figures & { day: string })[]>;
  listHours(span: Span): Promise<(Figures & { hour: string })[]>;
  listEvents(span: Span): Promise<(Figures & { eventId: string })[]>;
}

export interface Addition {
  at: Date;
  /** null: of no event. */
  eventId: string | null;
  counts?: Partial<Counts>;
  money?: Partial<Sums> & { currency: string };
}

/** `from` and `to` are days of the zone that days are counted in, both included. */
export interface Span {
  eventId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Instead of days: from this hour on. */
  since?: Date | undefined;
}
