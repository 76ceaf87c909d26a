/** The part of the table of settings that is about selling, and the configuration made from it. */
import { join } from 'node:path';
import type { DatabaseAddress } from '../platform/database/lazy-database.ts';
import { integer, oneOf, onOff, SECRET_MIN_LENGTH, secret, text, type Values } from '../platform/settings/settings.ts';

export const shopSettings = {
  SHOP: oneOf({
    default: 'auto',
    values: ['auto', 'on', 'off'],
    about: 'Whether there are events, seats and payments here. auto: yes, except with Redis and without DATABASE_URL.',
  }),
  DATABASE_URL: text({
    default: undefined,
    defaultText: 'none: PostgreSQL inside this process, in DATA_DIR',
    pattern: /^postgres(ql)?:\/\/.+$/,
    allowed: 'postgres://user:password@host:port/database',
    about: 'Keeps events, seats and payments in this PostgreSQL server (15 or later).',
    secret: true,
  }),
  DATABASE_CONNECTIONS: integer({ default: 10, min: 1, max: 200, about: 'Connections to PostgreSQL at most.' }),
  HOLD_SECONDS: integer({
    default: 300,
    min: 1,
    max: 86_400,
    about: 'How long seats and tickets are held for whoever is about to pay.',
  }),
  MAX_PER_PERSON: integer({
    default: 4,
    min: 1,
    max: 20,
    about: 'Tickets one person may have of an event. Per event: `maxPerPerson`.',
  }),
  CURRENCY: text({
    default: 'KRW',
    pattern: /^[A-Z]{3}$/,
    allowed: 'three capital letters (ISO 4217)',
    about: 'What prices are in, in its smallest unit. Per event: `currency`.',
  }),
  REFUND_UNTIL_HOURS: integer({
    default: 24,
    min: 0,
    max: 8_760,
    about: 'Until how long before the start a buyer may cancel and is refunded.',
  }),
  SEAT_LOCK: onOff({
    default: false,
    about: 'With Redis: whether those who want the same seat queue up there and not in the database.',
  }),
  KEEPER_INTERVAL_MS: integer({
    default: 1_000,
    min: 20,
    max: 60_000,
    about: 'How often ended holds are freed and unfinished payments are looked after.',
  }),
  PAYMENT_TIMEOUT_MS: integer({
    default: 5_000,
    min: 100,
    max: 30_000,
    about: 'How long a buyer waits for the payment provider; what it has done by then is found out afterwards.',
  }),
  PAYMENT_WEBHOOK_SECRET: secret({
    minLength: SECRET_MIN_LENGTH,
    defaultText: 'generated, kept in DATA_DIR',
    about: 'Signs what the payment provider calls back with.',
  }),
  TICKET_SECRET: secret({
    minLength: SECRET_MIN_LENGTH,
    defaultText: 'generated, kept in DATA_DIR',
    about: 'Signs the codes on tickets.',
  }),
};

export interface ShopConfig {
  database: DatabaseAddress;
  holdMs: number;
  eventDefaults: { currency: string; maxPerPerson: number };
  refundUntilHours: number;
  seatLock: boolean;
  keeperIntervalMs: number;
  paymentTimeoutMs: number;
}

type ShopValues = Values<typeof shopSettings> & { DATA_DIR: string | undefined };

/** undefined: nothing is sold here. */
export function shopFrom(values: ShopValues, hasRedis: boolean): ShopConfig | undefined {
  const { SHOP: wanted, DATABASE_URL: url, DATABASE_CONNECTIONS: connections } = values;
  const hasDatabase = url !== undefined || !hasRedis;
  if (wanted === 'off' || !hasDatabase) return undefined;
  return {
    database: url === undefined ? { dir: join(values.DATA_DIR!, 'database') } : { url, connections },
    holdMs: values.HOLD_SECONDS * 1000,
    eventDefaults: { currency: values.CURRENCY!, maxPerPerson: values.MAX_PER_PERSON },
    refundUntilHours: values.REFUND_UNTIL_HOURS,
    seatLock: values.SEAT_LOCK,
    keeperIntervalMs: values.KEEPER_INTERVAL_MS,
    paymentTimeoutMs: values.PAYMENT_TIMEOUT_MS,
  };
}
