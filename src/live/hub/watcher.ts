/** A visitor who watches an event's line from this process, with one or more streams. */

import type { Stream } from '../../http/stream.ts';
import type { Standing } from '../../line/model/standing.ts';

export interface Watcher {
  readonly eventId: string;
  readonly visitor: string;
  /** Oldest first; replaced with each change. Empty once the watcher is gone. */
  streams: readonly Stream[];
  /** The standing last sent. */
  standing: Standing;
  /** When the next position is due. */
  nextPositionAt: number;
  /** The pulse of the last position sent. */
  pulseAt: number;
  /** When to mark the visitor as seen and read their standing. */
  lookAt: number;
}

export type NewWatcher = Pick<Watcher, 'eventId' | 'visitor' | 'standing' | 'nextPositionAt' | 'lookAt'>;

export function createWatcher(watcher: NewWatcher): Watcher {
  return { ...watcher, streams: [], pulseAt: 0 };
}
