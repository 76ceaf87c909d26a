/** What the memory store is opened with. */
import type { Logger } from 'pino';
import type { Clock } from '../../../platform/clock.ts';
import type { DrawSecrets } from '../../model/draw-state.ts';
import type { RoomSettings } from '../../model/room-settings.ts';

export interface MemoryLineStoreOptions {
  /** The folder of the journal; created if missing. */
  dir: string;
  defaults: RoomSettings;
  /** How often the admitter ticks. */
  tickMs: number;
  clock: Clock;
  log: Logger;
  /** False leaves flushing to the operating system; see the journal. */
  sync?: boolean;
  compactAboveBytes?: number;
  /** Creates the secrets of draws; random if absent. */
  createSecrets?: () => DrawSecrets;
}
