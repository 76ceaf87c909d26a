/** The port to whoever wants to be told of admissions. */
import type { Notice } from './notice.ts';

export interface NoticeSink {
  /** In metrics and logs. */
  readonly name: string;
  /** How many notices `send` takes at most. */
  readonly batchSize: number;
  /** How many calls of `send` may be under way at once. */
  readonly concurrency: number;
  /** How many of them did not arrive. Ends in bounded time, and rejects if none did. */
  send(notices: readonly Notice[]): Promise<number>;
  close(): Promise<void>;
}
