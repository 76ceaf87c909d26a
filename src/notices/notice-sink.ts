/** The port to a receiver of notices. */
import type { Notice } from './notice.ts';

export interface NoticeSink {
  /** In metrics and logs. */
  readonly name: string;
  /** The most notices per call of `send`. */
  readonly batchSize: number;
  /** The most concurrent calls of `send`. */
  readonly concurrency: number;
  /** Returns the number of undelivered notices, within a bounded time. Rejects if none was delivered. */
  send(notices: readonly Notice[]): Promise<number>;
  close(): Promise<void>;
}
