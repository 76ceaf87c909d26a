/** A visitor who watches an event's line from this process, with one or more streams. */

import type { Stream } from '../http/stream.ts';
import type { Standing } from '../line/model/standing.ts';

export interface Watcher {
  readonly eventId: string;
  readonly visitor: string;
  /** Oldest first. Empty once the watcher is gone. */
  readonly streams: Stream[];
  /** As they were last told. */
  standing: Standing;
  /** When they should hear of their position again. */
  nextPositionAt: number;
  /** The measurement that their last position came from. */
  pulseAt: number;
  /** When the store should be told that they are there, and asked where they stand. */
  lookAt: number;
}

export type NewWatcher = Pick<Watcher, 'eventId' | 'visitor' | 'standing' | 'nextPositionAt' | 'lookAt'>;

export function createWatcher(watcher: NewWatcher): Watcher {
  return { ...watcher, streams: [], pulseAt: 0 };
}
