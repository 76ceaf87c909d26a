/** Settings of the line: the defaults of every room, and how often visitors are admitted and removed. */
import type { RoomSettings } from '../line/model/room-settings.ts';
import { integer, onOff, type Values } from '../platform/settings/settings.ts';

export const lineSettings = {
  QUEUE_THRESHOLD: integer({
    default: 1000,
    min: 0,
    max: 10_000_000,
    about: 'Maximum number of admitted and active visitors per room. Per room: `maxActive`.',
  }),
  QUEUE_ACTIVE_TTL_SECONDS: integer({
    default: 600,
    min: 1,
    max: 86_400,
    about: 'How long an admission lasts after the visitor was last seen. Per room: `activeTtlMs`.',
  }),
  QUEUE_ACTIVE_MAX_TTL_SECONDS: integer({
    default: 3600,
    min: 1,
    max: 86_400,
    about: 'Maximum length of an admission, however often it is renewed. Per room: `activeMaxTtlMs`.',
  }),
  QUEUE_CLAIM_TTL_SECONDS: integer({
    default: 60,
    min: 1,
    max: 86_400,
    about: 'How long an admitted visitor may take to enter. Per room: `claimTtlMs`.',
  }),
  QUEUE_SEEN_TTL_SECONDS: integer({
    default: 600,
    min: 1,
    max: 86_400,
    about: 'A waiting visitor who shows no sign of life for this long is removed. Per room: `seenTtlMs`.',
  }),
  QUEUE_DISCONNECT_GRACE_SECONDS: integer({
    default: 300,
    min: 0,
    max: 86_400,
    about: 'How long a visitor keeps the place after their stream closed. Per room: `disconnectGraceMs`.',
  }),
  QUEUE_ADMISSION_INTERVAL_MS: integer({
    default: 1000,
    min: 20,
    max: 60_000,
    about: 'Length of a tick: how often visitors are admitted.',
  }),
  QUEUE_ADMISSION_BATCH_SIZE: integer({
    default: 100,
    min: 1,
    max: 10_000,
    about: 'Maximum admissions per tick in rooms without `admitPerSecond`. Per room: `batchSize`.',
  }),
  QUEUE_STALE_CLEANUP_INTERVAL_MS: integer({
    default: 30_000,
    min: 20,
    max: 3_600_000,
    about: 'How often the line is swept for visitors to remove.',
  }),
  CLAIM_STRICT: onOff({
    default: false,
    about:
      'The claim door refuses as strict clients expect: 400 `IDEMPOTENCY_REQUIRED` for `join` and `enter` without an `Idempotency-Key`, 404 `TOKEN_NOT_FOUND` for a waiting token that is unknown or whose place is gone.',
  }),
};

export interface LineConfig {
  roomDefaults: RoomSettings;
  admissionIntervalMs: number;
  sweepIntervalMs: number;
  /** Whether the claim door refuses what it otherwise tolerates. */
  claimStrict: boolean;
  journalSync: boolean;
  demoRoom: boolean;
}

type LineValues = Values<typeof lineSettings>;

export function toLineConfig(values: LineValues & { JOURNAL_SYNC: boolean; DEMO: boolean }): LineConfig {
  return {
    roomDefaults: {
      state: 'open',
      maxActive: values.QUEUE_THRESHOLD,
      batchSize: values.QUEUE_ADMISSION_BATCH_SIZE,
      activeTtlMs: values.QUEUE_ACTIVE_TTL_SECONDS * 1000,
      activeMaxTtlMs: values.QUEUE_ACTIVE_MAX_TTL_SECONDS * 1000,
      renew: true,
      claimTtlMs: values.QUEUE_CLAIM_TTL_SECONDS * 1000,
      seenTtlMs: values.QUEUE_SEEN_TTL_SECONDS * 1000,
      disconnectGraceMs: values.QUEUE_DISCONNECT_GRACE_SECONDS * 1000,
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
    },
    admissionIntervalMs: values.QUEUE_ADMISSION_INTERVAL_MS,
    sweepIntervalMs: values.QUEUE_STALE_CLEANUP_INTERVAL_MS,
    claimStrict: values.CLAIM_STRICT,
    journalSync: values.JOURNAL_SYNC,
    demoRoom: values.DEMO,
  };
}

export function findLineProblems(values: LineValues): string[] {
  const { QUEUE_ACTIVE_TTL_SECONDS: ttl, QUEUE_ACTIVE_MAX_TTL_SECONDS: maxTtl } = values;
  if (maxTtl >= ttl) return [];
  return [`QUEUE_ACTIVE_MAX_TTL_SECONDS=${maxTtl}: must be at least QUEUE_ACTIVE_TTL_SECONDS (${ttl})`];
}
