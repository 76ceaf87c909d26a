/** What openStores returns, whichever stores are configured. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { AccessStore } from '../gate/access/access-store.ts';
import type { LineStore } from '../line/store/line-store.ts';
import type { LotSources } from '../line/store/lot-sources.ts';
import type { Visits } from '../line/store/visits.ts';
import type { AdmissionFeed, OnAdmitted } from '../live/feed/admission-feed.ts';
import type { Clock } from '../platform/clock.ts';
import type { Beginning } from '../platform/concurrency/beginning.ts';
import type { Tier1Store } from '../tier1/store/tier1-store.ts';

export interface Stores {
  store: LineStore;
  tier1: Tier1Store;
  lotSources: LotSources;
  access: AccessStore;
  /** What visitors do. With Redis, status requests of waiting visitors are answered from memory. */
  visits: Visits;
  /** Forgets what this process remembers of a visitor's place, after another process ended it. */
  forgetPlace(eventId: string, visitor: string): void;
  feed: AdmissionFeed;
  /** The admitter of this process calls it after each tick. */
  onAdmitted: OnAdmitted;
  /** Delivers admissions to other processes; undefined with embedded stores, where there are none. */
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
  /** Gets the check of each server. */
  beginning: Beginning;
  log: Logger;
  clock: Clock;
}
