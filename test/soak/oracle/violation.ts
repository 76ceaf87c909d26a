import type { HistoryEntry } from '../history.ts';
import type { PromiseNo } from './promises.ts';

export interface Violation {
  promise: PromiseNo;
  /** What happened, in a sentence. */
  text: string;
  /** When, for sorting and for finding the fault that caused it. */
  at: number;
  /** The entries that show it, as few as possible. */
  evidence: readonly HistoryEntry[];
}
