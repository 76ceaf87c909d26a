/** Settings of the shop: database, holds, payments. */
import { join } from 'node:path';
import type { DatabaseAddress } from '../platform/database/lazy-database.ts';
import { integer, oneOf, onOff, text, url, type Values } from '../platform/settings/settings.ts';
import { databaseSettings, toDatabaseServer } from './database-settings.ts';

export const shopSettings = {
  SHOP: oneOf({
    default: 'auto',
    values: ['auto', 'on', 'off'],
    about: 'Sell tickets on this instance. auto: on, except with Redis and without DATABASE_URL.',
  }),
  DATABASE_URL: url({
    default: undefined,
    defaultText: 'none: embedded PostgreSQL in DATA_DIR',
    protocols: ['postgres:', 'postgresql:'],
    hasCredentials: true,
    allowed: 'postgres://user:password@host:port/database; special characters in the password percent-encoded',
    about: 'PostgreSQL server (15 or later) for events, seats, payments and accounts.',
  }),
  ...databaseSettings,
  DATABASE_CONNECTIONS: integer({
    default: 10,
    min: 1,
    max: 200,
    about: 'Maximum connections to PostgreSQL per process.',
  }),
  HOLD_SECONDS: integer({
    default: 300,
    min: 1,
    max: 86_400,
    about: 'How long a hold on seats or tickets lasts before it must be paid.',
  }),
  HOLD_EXTENSION_SECONDS: integer({
    default: 300,
    min: 60,
    max: 86_400,
    about: 'How much longer than HOLD_SECONDS attempts to pay can keep a hold, in total.',
  }),
  MAX_PER_PERSON: integer({
    default: 4,
    min: 1,
    max: 20,
    about: 'Maximum tickets per person and event. Per event: `maxPerPerson`.',
  }),
  CURRENCY: text({
    default: 'KRW',
    pattern: /^[A-Z]{3}$/,
    allowed: 'three capital letters (ISO 4217)',
    about: 'Currency of prices, which are in its smallest unit. Per event: `currency`.',
  }),
  TIME_ZONE: text({
    default: 'Asia/Seoul',
    pattern: /^[A-Za-z0-9_+/-]{1,64}$/,
    allowed: 'an IANA name such as Asia/Seoul',
    about: 'Time zone of venues, in which pages show the times of events. Per event: `timeZone`.',
  }),
  REFUND_UNTIL_HOURS: integer({
    default: 24,
    min: 0,
    max: 8_760,
    about: 'Buyers can cancel for a refund until this many hours before the event starts.',
  }),
  BUYER_DATA_DAYS: integer({
    default: 7,
    min: 0,
    max: 3_650,
    about:
      'How many days after a reservation was cancelled or has expired its buyer’s name, email and phone are erased.',
  }),
  SEAT_LOCK: onOff({
    default: false,
    about: 'With Redis: serialise requests for the same seat in Redis, to spare the database.',
  }),
  KEEPER_INTERVAL_MS: integer({
    default: 1_000,
    min: 20,
    max: 60_000,
    about: 'How often expired holds are released and unfinished payments are followed up.',
  }),
  PAYMENT_CLIENT_KEY: text({
    default: undefined,
    defaultText: 'none',
    pattern: /^[\x21-\x7e]{1,200}$/,
    allowed: '1 to 200 printable characters without spaces',
    about:
      'Public key of the payment provider for its dialog in the browser, given as `clientKey` with an order. No secret.',
  }),
  PAYMENT_TIMEOUT_MS: integer({
    default: 5_000,
    min: 100,
    max: 30_000,
    about: 'How long a buyer waits for the payment provider. A later result is picked up by the keeper.',
  }),
};

const DAY_MS = 86_400_000;

export interface ShopConfig {
  database: DatabaseAddress;
  holdMs: number;
  /** With all its extensions. */
  longestHoldMs: number;
  eventDefaults: { currency: string; maxPerPerson: number; timeZone: string };
  refundUntilHours: number;
  /** How long the buyers of ended reservations are kept. */
  buyerKeptMs: number;
  seatLock: boolean;
  keeperIntervalMs: number;
  paymentTimeoutMs: number;
  paymentClientKey: string | undefined;
}

type ShopValues = Values<typeof shopSettings> & { DATA_DIR: string | undefined };

/** undefined: nothing is sold here. */
export function toShopConfig(values: ShopValues, hasRedis: boolean): ShopConfig | undefined {
  const { SHOP: wanted, DATABASE_URL: url, DATABASE_CONNECTIONS: connections } = values;
  const hasDatabase = url !== undefined || !hasRedis;
  if (wanted === 'off' || !hasDatabase) return undefined;
  return {
    database:
      url === undefined
        ? { dir: join(values.DATA_DIR!, 'database') }
        : { ...toDatabaseServer(url, values), connections },
    holdMs: values.HOLD_SECONDS * 1000,
    longestHoldMs: (values.HOLD_SECONDS + values.HOLD_EXTENSION_SECONDS) * 1000,
    eventDefaults: {
      currency: values.CURRENCY!,
      maxPerPerson: values.MAX_PER_PERSON,
      timeZone: values.TIME_ZONE!,
    },
    refundUntilHours: values.REFUND_UNTIL_HOURS,
    buyerKeptMs: values.BUYER_DATA_DAYS * DAY_MS,
    seatLock: values.SEAT_LOCK,
    keeperIntervalMs: values.KEEPER_INTERVAL_MS,
    paymentTimeoutMs: values.PAYMENT_TIMEOUT_MS,
    paymentClientKey: values.PAYMENT_CLIENT_KEY,
  };
}
