import type { RoomSettings } from '../../src/line/model/room-settings.ts';

/** The default settings with a small room. */
export function testRoomDefaults(overrides: Partial<RoomSettings> = {}): RoomSettings {
  return {
    state: 'open',
    maxActive: 2,
    batchSize: 100,
    activeTtlMs: 600_000,
    activeMaxTtlMs: 3_600_000,
    renew: true,
    claimTtlMs: 60_000,
    seenTtlMs: 600_000,
    disconnectGraceMs: 300_000,
    releaseOnDisconnect: false,
    priorityShare: 0,
    followStock: false,
    joinRequires: 'nothing',
    admission: 'auto',
    claimWindow: 100,
    minWaitMs: 0,
    streamFormat: 'named',
    readyStatus: 'ready',
    order: 'fifo',
    ...overrides,
  };
}
