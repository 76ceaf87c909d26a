/** What the program is told, once the settings have been read: see config.ts. */

import type { RoomSettings } from '../line/model/room-settings.ts';
import type { GateConfig } from './gate-settings.ts';
import type { Limits } from './limit-settings.ts';
import type { PagesConfig } from './page-settings.ts';
import type { NoticesConfig, RecordsConfig } from './records-settings.ts';
import type { ShopConfig } from './shop-settings.ts';
import type { TracingConfig } from './tracing-settings.ts';

export const roleNames = [
  'line',
  'admitter',
  'sweeper',
  'advancer',
  'dispatcher',
  'reaper',
  'shop',
  'keeper',
  'relay',
  'chain',
  'stats',
] as const;
export type RoleName = (typeof roleNames)[number];

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  roles: readonly RoleName[];
  /** undefined: embedded stores, everything in one process. */
  redis: RedisConfig | undefined;
  logLevel: string;
  /** undefined: no traces are made. */
  tracing: TracingConfig | undefined;
  trustProxy: readonly string[];
  /** Whether hot endpoints bypass the framework (docs/architecture.md). Tracing turns it off too. */
  httpFastPath: boolean;
  stopTimeoutMs: number;
  line: {
    roomDefaults: RoomSettings;
    admissionIntervalMs: number;
    sweepIntervalMs: number;
    journalSync: boolean;
    demoRoom: boolean;
  };
  tier1: {
    /** undefined: where the lines are. */
    dynamodb: DynamoDbConfig | undefined;
    pace: { batchSize: number; cycleMs: number };
    /** 0: no limit. */
    maxLine: number;
    placeTtlMs: number;
    challengeDigits: number;
  };
  /** undefined: this instance sells nothing. */
  shop: ShopConfig | undefined;
  records: RecordsConfig;
  notices: NoticesConfig;
  accounts: {
    sessionCookie: string;
    sessionHours: number;
    guests: boolean;
    cookieSecure: 'auto' | 'on' | 'off';
  };
  secrets: {
    adminToken: string | undefined;
    entryToken: string | undefined;
    entryTokenPrevious: string | undefined;
    vwrToken: string | undefined;
    vwrTokenPrevious: string | undefined;
    auth: string | undefined;
    authPrevious: string | undefined;
    guest: string | undefined;
    webhook: string | undefined;
    ticket: string | undefined;
  };
  gate: GateConfig;
  pages: PagesConfig;
  limits: Limits;
}

export interface RedisConfig {
  address: { url: string } | { cluster: string };
  waitReplicas: number;
}

export interface DynamoDbConfig {
  prefix: string;
  endpoint: string | undefined;
}
