/** What a choice of stores gives the rest of the program. */
import type { Logger } from 'pino';
import type { Config } from '../config/read-config.ts';
import type { LineStore } from '../line/store/line-store.ts';
import type { Visits } from '../line/store/visits.ts';
import type { AdmissionFeed, OnAdmitted } from '../live/feed/admission-feed.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tier1Store } from '../tier1/store/tier1-store.ts';

export interface Stores {
  store: LineStore;
  /** Where tier 1 keeps its numbers. */
  tier1: Tier1Store;
  /** What visitors do, through the fastest way this store has to answer those who wait. */
  visits: Visits;
  feed: AdmissionFeed;
  /** What the admitter of this process calls after each tick. */
  onAdmitted: OnAdmitted;
  /** How news of admissions gets to other processes; undefined where there are none. */
  delivery: Delivery | undefined;
  close(): Promise<void>;
}

export interface Delivery {
  /** One pass of the role `dispatcher`. */
  dispatch(): Promise<'done' | 'again'>;
  /** One pass of the role `reaper`. */
  reap(): Promise<'done' | 'again'>;
}

export interface StoresOptions {
  config: Config;
  log: Logger;
  clock: Clock;
}
