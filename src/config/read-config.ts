/** The only reader of the environment: one table of settings, and the configuration made from it. */

import {
  integer,
  list,
  oneOf,
  onOff,
  readSettings,
  SECRET_MIN_LENGTH,
  SettingsError,
  secret,
  text,
  type Values,
} from '../platform/settings/settings.ts';
import { type Config, type RoleName, roleNames } from './config.ts';
import { gateSettings, toGateConfig } from './gate-settings.ts';
import { limitSettings, toLimits } from './limit-settings.ts';
import { pageSettings, toPagesConfig } from './page-settings.ts';
import { noticesFrom, problemsOfRecords, recordsFrom, recordsSettings } from './records-settings.ts';
import { shopFrom, shopSettings } from './shop-settings.ts';
import { toTracingConfig, tracingSettings } from './tracing-settings.ts';

export { type Config, type DynamoDbConfig, type RedisConfig, type RoleName, roleNames } from './config.ts';

export const settings = {
  HOST: text({
    default: '127.0.0.1',
    pattern: /^[A-Za-z0-9.:_-]{1,255}$/,
    allowed: 'an address or host name of this machine',
    about: 'Address to listen on. 0.0.0.0 listens on all, as a container needs.',
  }),
  PORT: integer({ default: 3000, min: 0, max: 65_535, about: 'Port to listen on; 0 takes a free one.' }),
  DATA_DIR: text({
    default: 'data',
    pattern: /^.+$/,
    allowed: 'a folder that this program may write to',
    about:
      'Where the embedded stores keep their files and generated secrets, one process at a time. With Redis only the ' +
      'audit trail is written there.',
  }),
  FAIRLINE_ROLES: list<RoleName | 'all'>({
    default: ['all'],
    pattern: new RegExp(`^(all|${roleNames.join('|')})$`),
    allowed: `all, or some of ${roleNames.join(', ')}, separated by commas`,
    about: 'Which parts run in this process; all, unless the lines are in Redis.',
  }),
  REDIS_URL: text({
    default: undefined,
    pattern: /^rediss?:\/\/.+$/,
    allowed: 'redis://host:port, or rediss:// for TLS, with user and password where needed',
    about: 'Keeps the lines in this Redis server, where several processes share them.',
    secret: true,
  }),
  REDIS_CLUSTER: text({
    default: undefined,
    pattern: /^[A-Za-z0-9._-]+:\d{1,5}(,\s*[A-Za-z0-9._-]+:\d{1,5})*$/,
    allowed: 'host:port of some nodes, separated by commas',
    about: 'Keeps the lines in this Redis Cluster instead.',
  }),
  REDIS_WAIT_REPLICAS: integer({
    default: 0,
    min: 0,
    max: 10,
    about: 'How many replicas must have a new place, or an entry, before the visitor is told of it.',
  }),
  LOG_LEVEL: oneOf({
    default: 'info',
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    about: 'How much is logged.',
  }),
  TRUST_PROXY: list({
    default: [],
    defaultText: 'none',
    pattern: /^[0-9a-fA-F.:]+(\/\d{1,3})?$/,
    allowed: 'addresses or CIDR ranges, separated by commas',
    about: 'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. Everybody else’s are ignored.',
  }),
  HTTP_FAST_PATH: onOff({
    default: true,
    about:
      'Serves polls, joins and tier 1 checks without the web framework, at less CPU per request. Responses are the ' +
      'same either way. Tracing turns it off.',
  }),
  STOP_TIMEOUT_MS: integer({
    default: 10_000,
    min: 0,
    max: 600_000,
    about: 'How long a stop waits for requests under way.',
  }),
  QUEUE_THRESHOLD: integer({
    default: 1000,
    min: 0,
    max: 10_000_000,
    about: 'Admitted and active visitors per room at most. Per room: `maxActive`.',
  }),
  QUEUE_ACTIVE_TTL_SECONDS: integer({
    default: 600,
    min: 1,
    max: 86_400,
    about: 'Length of a session, from when the visitor was last seen. Per room: `activeTtlMs`.',
  }),
  QUEUE_ACTIVE_MAX_TTL_SECONDS: integer({
    default: 3600,
    min: 1,
    max: 86_400,
    about: 'Length of a session at most. Per room: `activeMaxTtlMs`.',
  }),
  QUEUE_CLAIM_TTL_SECONDS: integer({
    default: 60,
    min: 1,
    max: 86_400,
    about: 'How long an admitted visitor may take to show up. Per room: `claimTtlMs`.',
  }),
  QUEUE_SEEN_TTL_SECONDS: integer({
    default: 600,
    min: 1,
    max: 86_400,
    about: 'When a waiter who gives no sign of life lapses. Per room: `seenTtlMs`.',
  }),
  QUEUE_DISCONNECT_GRACE_SECONDS: integer({
    default: 300,
    min: 0,
    max: 86_400,
    about: 'How long a waiter whose live connection closed keeps the place. Per room: `disconnectGraceMs`.',
  }),
  QUEUE_ADMISSION_INTERVAL_MS: integer({
    default: 1000,
    min: 20,
    max: 60_000,
    about: 'How often people are admitted.',
  }),
  QUEUE_ADMISSION_BATCH_SIZE: integer({
    default: 100,
    min: 1,
    max: 10_000,
    about: 'Admissions per tick at most, in rooms without `admitPerSecond`. Per room: `batchSize`.',
  }),
  QUEUE_STALE_CLEANUP_INTERVAL_MS: integer({
    default: 30_000,
    min: 20,
    max: 3_600_000,
    about: 'How often silent waiters are looked for.',
  }),
  VWR_STORE: oneOf({
    default: 'auto',
    values: ['auto', 'dynamodb'],
    about: 'Where tier 1 keeps its numbers: auto is where the lines are, dynamodb in two tables (docs/tier1.md).',
  }),
  VWR_DYNAMODB_PREFIX: text({
    default: 'fairline',
    pattern: /^[A-Za-z0-9_.-]{1,200}$/,
    allowed: 'letters, digits, _, . and -, 200 at most',
    about: 'What the names of the two tables begin with: `{prefix}-vwr-counters`, `{prefix}-vwr-positions`.',
  }),
  VWR_DYNAMODB_ENDPOINT: text({
    default: undefined,
    pattern: /^https?:\/\/.+$/,
    allowed: 'an http or https address',
    about: 'Another DynamoDB server than that of AWS_REGION, as for a trial; it is sent no credentials of yours.',
  }),
  VWR_BATCH_SIZE: integer({
    default: 500,
    min: 1,
    max: 1_000_000,
    about: 'How many tier 1 serves in a cycle, evenly over it.',
  }),
  VWR_CYCLE_MS: integer({ default: 10_000, min: 100, max: 3_600_000, about: 'Length of such a cycle.' }),
  VWR_MAX_LINE: integer({
    default: 0,
    min: 0,
    max: 100_000_000,
    about: 'Tier 1 serves nobody while more than this many wait in the line of the event; 0 serves regardless.',
  }),
  VWR_PLACE_TTL_SECONDS: integer({
    default: 604_800,
    min: 60,
    max: 7_776_000,
    about: 'How long a place in tier 1 is good: a device may sleep for that long and come back to it.',
  }),
  VWR_CHALLENGE_DIGITS: integer({
    default: 4,
    min: 1,
    max: 7,
    about: 'How hard the proof of work is: 16 to this power hashes on average.',
  }),
  QUEUE_ENTRY_TOKEN_SECRET: secret({
    minLength: SECRET_MIN_LENGTH,
    defaultText: 'generated, kept in DATA_DIR',
    about: 'Signs entry tokens (HS256). Share it with whatever checks them.',
  }),
  QUEUE_ENTRY_TOKEN_SECRET_PREVIOUS: secret({
    minLength: SECRET_MIN_LENGTH,
    about: 'The secret before the last rotation: tokens signed with it are still good until they expire.',
  }),
  VWR_TOKEN_SECRET: secret({
    minLength: SECRET_MIN_LENGTH,
    defaultText: 'generated, kept in DATA_DIR',
    about: 'Signs the tokens, places and device cookies of tier 1 (HS256). Share it with whatever checks vwr tokens.',
  }),
  VWR_TOKEN_SECRET_PREVIOUS: secret({
    minLength: SECRET_MIN_LENGTH,
    about: 'The secret before the last rotation of VWR_TOKEN_SECRET; still good.',
  }),
  AUTH_JWT_SECRET: secret({
    minLength: SECRET_MIN_LENGTH,
    defaultText: 'generated, kept in DATA_DIR',
    about: 'Verifies the tokens (HS256, `sub` is the user, `exp` required) by which your site vouches for its users.',
  }),
  AUTH_JWT_SECRET_PREVIOUS: secret({
    minLength: SECRET_MIN_LENGTH,
    about: 'The secret before the last rotation of AUTH_JWT_SECRET; still good.',
  }),
  AUTH_COOKIE: text({
    default: 'fairline-session',
    pattern: /^[A-Za-z0-9_-]{1,64}$/,
    allowed: 'letters, digits, _ and -, 64 at most',
    about: 'Cookie for such a token: read when there is no Authorization header, set when somebody signs in here.',
  }),
  SESSION_HOURS: integer({
    default: 12,
    min: 1,
    max: 720,
    about: 'How long whoever signs in with an account of ours stays signed in.',
  }),
  GUESTS: onOff({ default: true, about: 'Whether visitors without an account may join, known by a signed cookie.' }),
  GUEST_SECRET: secret({
    minLength: SECRET_MIN_LENGTH,
    defaultText: 'generated, kept in DATA_DIR',
    about: 'Signs the cookies of guests.',
  }),
  COOKIE_SECURE: oneOf({
    default: 'auto',
    values: ['auto', 'on', 'off'],
    about: 'Secure flag on cookies; auto sets it on requests that came over TLS.',
  }),
  ADMIN_TOKEN: secret({
    minLength: 16,
    defaultText: 'generated, kept in DATA_DIR',
    about: 'Bearer token of operators.',
  }),
  ...limitSettings,
  ...gateSettings,
  ...shopSettings,
  ...pageSettings,
  ...tracingSettings,
  ...recordsSettings,
  JOURNAL_SYNC: onOff({
    default: true,
    about: 'Wait for the disk before answering. Off: an answer survives a crash of the process, not of the machine.',
  }),
  DEMO: onOff({ default: true, about: 'Whether the first start creates the room `demo-concert`.' }),
};

type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Environment = process.env): Config {
  const values = readSettings(settings, env);
  refuseContradictions(values);
  return toConfig(values);
}

/** For a gate that stands alone. `flags`: from the command line; they win. */
export function readGateConfig(flags: Environment, env: Environment = process.env): Config {
  return toConfig(readSettings(settings, { ...env, ...flags }));
}

function toConfig(values: SettingValues): Config {
  return {
    host: values.HOST!,
    port: values.PORT,
    dataDir: values.DATA_DIR!,
    roles: rolesFrom(values.FAIRLINE_ROLES),
    redis: redisFrom(values),
    logLevel: values.LOG_LEVEL,
    tracing: toTracingConfig(values),
    trustProxy: values.TRUST_PROXY,
    httpFastPath: values.HTTP_FAST_PATH,
    stopTimeoutMs: values.STOP_TIMEOUT_MS,
    line: {
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
        admission: 'auto',
        claimWindow: 100,
        minWaitMs: 0,
        order: 'fifo',
      },
      admissionIntervalMs: values.QUEUE_ADMISSION_INTERVAL_MS,
      sweepIntervalMs: values.QUEUE_STALE_CLEANUP_INTERVAL_MS,
      journalSync: values.JOURNAL_SYNC,
      demoRoom: values.DEMO,
    },
    tier1: {
      dynamodb:
        values.VWR_STORE === 'dynamodb'
          ? { prefix: values.VWR_DYNAMODB_PREFIX!, endpoint: values.VWR_DYNAMODB_ENDPOINT }
          : undefined,
      pace: { batchSize: values.VWR_BATCH_SIZE, cycleMs: values.VWR_CYCLE_MS },
      maxLine: values.VWR_MAX_LINE,
      placeTtlMs: values.VWR_PLACE_TTL_SECONDS * 1000,
      challengeDigits: values.VWR_CHALLENGE_DIGITS,
    },
    shop: shopFrom(values, redisFrom(values) !== undefined),
    records: recordsFrom(values),
    notices: noticesFrom(values),
    accounts: {
      sessionCookie: values.AUTH_COOKIE!,
      sessionHours: values.SESSION_HOURS,
      guests: values.GUESTS,
      cookieSecure: values.COOKIE_SECURE as 'auto' | 'on' | 'off',
    },
    secrets: {
      adminToken: values.ADMIN_TOKEN,
      entryToken: values.QUEUE_ENTRY_TOKEN_SECRET,
      entryTokenPrevious: values.QUEUE_ENTRY_TOKEN_SECRET_PREVIOUS,
      vwrToken: values.VWR_TOKEN_SECRET,
      vwrTokenPrevious: values.VWR_TOKEN_SECRET_PREVIOUS,
      auth: values.AUTH_JWT_SECRET,
      authPrevious: values.AUTH_JWT_SECRET_PREVIOUS,
      guest: values.GUEST_SECRET,
      webhook: values.PAYMENT_WEBHOOK_SECRET,
      ticket: values.TICKET_SECRET,
    },
    gate: toGateConfig(values),
    pages: toPagesConfig(values),
    limits: toLimits(values),
  };
}

type SettingValues = Values<typeof settings>;

/** Settings that are each allowed, but not together. */
function refuseContradictions(values: SettingValues): void {
  const { QUEUE_ACTIVE_TTL_SECONDS: ttl, QUEUE_ACTIVE_MAX_TTL_SECONDS: maxTtl } = values;
  const problems: string[] = [];
  if (maxTtl < ttl) {
    problems.push(`QUEUE_ACTIVE_MAX_TTL_SECONDS=${maxTtl}: allowed is QUEUE_ACTIVE_TTL_SECONDS (${ttl}) or more`);
  }
  problems.push(...problemsOfRecords(values));
  problems.push(...(redisFrom(values) === undefined ? problemsAlone(values) : problemsShared(values)));
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
}

function problemsAlone({ FAIRLINE_ROLES: names }: SettingValues): string[] {
  if (rolesFrom(names).length === roleNames.length) return [];
  return [
    `FAIRLINE_ROLES=${names.join(',')}: allowed is all, because without REDIS_URL or REDIS_CLUSTER the lines are in ` +
      'DATA_DIR, which belongs to one process',
  ];
}

function problemsShared(values: SettingValues): string[] {
  const shared = [
    'ADMIN_TOKEN',
    'QUEUE_ENTRY_TOKEN_SECRET',
    'VWR_TOKEN_SECRET',
    'AUTH_JWT_SECRET',
    'GUEST_SECRET',
  ] as const;
  const selling =
    shopFrom(values, redisFrom(values) !== undefined) === undefined
      ? []
      : (['PAYMENT_WEBHOOK_SECRET', 'TICKET_SECRET'] as const);
  const problems = [...shared, ...selling]
    .filter((name) => values[name] === undefined)
    .map(
      (name) =>
        `${name} is not set: with Redis several processes share the lines, and what one signed with a secret that ` +
        'it made up for itself the others would refuse',
    );
  if (values.REDIS_URL !== undefined && values.REDIS_CLUSTER !== undefined) {
    problems.push('REDIS_URL and REDIS_CLUSTER are both set: allowed is one of them');
  }
  if (values.SHOP === 'on' && values.DATABASE_URL === undefined) {
    problems.push('SHOP=on: with Redis it needs DATABASE_URL, because the embedded database belongs to one process');
  }
  return problems;
}

function redisFrom({ REDIS_URL: url, REDIS_CLUSTER: cluster, REDIS_WAIT_REPLICAS: waitReplicas }: SettingValues) {
  if (url !== undefined) return { address: { url }, waitReplicas };
  return cluster === undefined ? undefined : { address: { cluster }, waitReplicas };
}

function rolesFrom(names: readonly (RoleName | 'all')[]): readonly RoleName[] {
  return names.includes('all') ? roleNames : roleNames.filter((name) => names.includes(name));
}
