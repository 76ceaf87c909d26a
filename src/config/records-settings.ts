/** Settings of the record log (Kafka or the database), of statistics and of memberships. */
import {
  filePath,
  integer,
  list,
  oneOf,
  onOff,
  secret,
  text,
  url,
  type Values,
} from '../platform/settings/settings.ts';
import type { TlsFiles } from '../platform/tls/tls-config.ts';
import { findTlsProblems } from '../platform/tls/tls-files.ts';
import { type KafkaConfig, type KafkaSasl, saslMechanisms } from '../records/kafka-config.ts';
import { type RecordsFormat, recordsFormats } from '../records/records-format.ts';

export const recordsSettings = {
  KAFKA_BROKERS: list({
    default: [],
    defaultText: 'none: the record log is in the database',
    pattern: /^[A-Za-z0-9._-]+:\d{1,5}$/,
    allowed: 'host:port of some brokers, separated by commas',
    about: 'Kafka cluster of the record log (`docs/reference/records.md`).',
  }),
  KAFKA_PREFIX: text({
    default: '',
    defaultText: 'none',
    pattern: /^[A-Za-z0-9._-]{0,64}$/,
    allowed: 'up to 64 letters, digits, ., _ and -',
    about: 'Prefix of topic and group names, for several installations on one cluster.',
  }),
  KAFKA_GROUP_PREFIX: text({
    default: undefined,
    defaultText: 'KAFKA_PREFIX',
    pattern: /^[A-Za-z0-9._-]{0,64}$/,
    allowed: 'up to 64 letters, digits, ., _ and -',
    about: 'Prefix of group names, if other programs on the cluster read the topics in groups with the same names.',
  }),
  KAFKA_REPLICATION_FACTOR: integer({
    default: 1,
    min: 1,
    max: 9,
    about: 'Replication factor of topics that Fairline creates.',
  }),
  KAFKA_TLS: onOff({ default: false, about: 'Connect to the brokers over TLS.' }),
  KAFKA_TLS_CA_FILE: filePath('CA certificates (PEM) to verify the brokers with, instead of the system’s.'),
  KAFKA_TLS_CERT_FILE: filePath('Client certificate (PEM), if the brokers ask for one.'),
  KAFKA_TLS_KEY_FILE: filePath('Private key (PEM) of KAFKA_TLS_CERT_FILE.'),
  KAFKA_TLS_SERVER_NAME: text({
    default: undefined,
    defaultText: 'the host that is connected to',
    pattern: /^[\w.*-]+$/,
    allowed: 'a host name',
    about: 'Name that the certificates of all brokers must contain, if it is not their host.',
  }),
  KAFKA_SASL_MECHANISM: oneOf({
    default: 'none',
    values: ['none', ...saslMechanisms, 'OAUTHBEARER'],
    about: 'SASL mechanism. With OAUTHBEARER, set KAFKA_OAUTH_TOKEN_FILE or KAFKA_OAUTH_TOKEN_URL.',
  }),
  KAFKA_SASL_USERNAME: text({ default: undefined, pattern: /^.+$/, allowed: 'a name', about: 'SASL user name.' }),
  KAFKA_SASL_PASSWORD: secret({ minLength: 1, about: 'SASL password.' }),
  KAFKA_OAUTH_TOKEN_FILE: filePath('OAuth token; read again for every connection, so it can be renewed.'),
  KAFKA_OAUTH_TOKEN_URL: url({
    default: undefined,
    protocols: ['http:', 'https:'],
    hasCredentials: false,
    allowed: 'an http or https URL without user and password',
    about: 'Token endpoint of the issuer, which is asked with client credentials (RFC 6749).',
  }),
  KAFKA_OAUTH_CLIENT_ID: text({ default: undefined, pattern: /^.+$/, allowed: 'a name', about: 'OAuth client id.' }),
  KAFKA_OAUTH_CLIENT_SECRET: secret({ minLength: 1, about: 'OAuth client secret.' }),
  KAFKA_OAUTH_SCOPE: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'words, separated by spaces',
    about: 'OAuth scope.',
  }),
  RECORDS_FORMAT: oneOf({
    default: 'nested',
    values: recordsFormats,
    about:
      'Format in which records are published. `flat`: as URR’s Kafka consumers read them (`docs/reference/records.md`). Fairline reads both.',
  }),
  RECORDS_POLL_MS: integer({
    default: 250,
    min: 10,
    max: 60_000,
    about: 'How often the outbox, and a record log in the database, are polled.',
  }),
  RECORDS_TRIES: integer({
    default: 5,
    min: 1,
    max: 20,
    about: 'Attempts to handle a record before it goes to the dead-letter queue (dlq) of its topic.',
  }),
  RECORDS_RETRY_MS: integer({
    default: 100,
    min: 1,
    max: 60_000,
    about: 'Pause before the second attempt; it doubles with each further one.',
  }),
  STATS_TIME_ZONE: text({
    default: 'UTC',
    pattern: /^[A-Za-z0-9_+/-]{1,64}$/,
    allowed: 'an IANA time zone, such as Asia/Seoul',
    about: 'Time zone of the days in the statistics.',
  }),
  MEMBERSHIP_PRICE: integer({
    default: 30_000,
    min: 0,
    max: 2_000_000_000,
    about: 'Price of a membership, in the smallest unit of CURRENCY.',
  }),
  MEMBERSHIP_DAYS: integer({ default: 365, min: 1, max: 3_650, about: 'How long a membership lasts.' }),
  MEMBERSHIP_PRESALE_HOURS: integer({
    default: 24,
    min: 0,
    max: 8_760,
    about: 'How long before an event’s `onSaleAt` members may buy.',
  }),
};

export interface RecordsConfig {
  /** undefined: the record log is in the database. */
  kafka: KafkaConfig | undefined;
  format: RecordsFormat;
  pollMs: number;
  tries: number;
  retryMs: number;
  timeZone: string;
  membership: { amount: number; days: number; presaleHours: number };
}

type RecordsValues = Values<typeof recordsSettings>;

export function toRecordsConfig(values: RecordsValues): RecordsConfig {
  return {
    kafka: values.KAFKA_BROKERS.length === 0 ? undefined : toKafkaConfig(values),
    format: values.RECORDS_FORMAT,
    pollMs: values.RECORDS_POLL_MS,
    tries: values.RECORDS_TRIES,
    retryMs: values.RECORDS_RETRY_MS,
    timeZone: values.STATS_TIME_ZONE!,
    membership: {
      amount: values.MEMBERSHIP_PRICE,
      days: values.MEMBERSHIP_DAYS,
      presaleHours: values.MEMBERSHIP_PRESALE_HOURS,
    },
  };
}

export function findRecordsProblems(values: RecordsValues): string[] {
  const problems = [
    ...findSaslProblems(values),
    ...findTlsProblems(toTlsFiles(values), values.KAFKA_TLS, 'KAFKA_TLS=on'),
  ];
  if (!isTimeZone(values.STATS_TIME_ZONE!)) {
    problems.push(`STATS_TIME_ZONE=${values.STATS_TIME_ZONE}: expected an IANA time zone, such as Asia/Seoul`);
  }
  return problems;
}

function findSaslProblems(values: RecordsValues): string[] {
  const { KAFKA_SASL_MECHANISM: mechanism } = values;
  if (mechanism === 'none') return [];
  if (mechanism === 'OAUTHBEARER') return findOAuthProblems(values);
  if (values.KAFKA_SASL_USERNAME !== undefined && values.KAFKA_SASL_PASSWORD !== undefined) return [];
  return [`KAFKA_SASL_MECHANISM=${mechanism}: requires KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD`];
}

function findOAuthProblems(values: RecordsValues): string[] {
  const { KAFKA_OAUTH_TOKEN_FILE: file, KAFKA_OAUTH_TOKEN_URL: tokenUrl } = values;
  if ((file === undefined) === (tokenUrl === undefined)) {
    return ['KAFKA_SASL_MECHANISM=OAUTHBEARER: requires KAFKA_OAUTH_TOKEN_FILE or KAFKA_OAUTH_TOKEN_URL, one of them'];
  }
  const hasClient = values.KAFKA_OAUTH_CLIENT_ID !== undefined && values.KAFKA_OAUTH_CLIENT_SECRET !== undefined;
  if (file !== undefined || hasClient) return [];
  return ['KAFKA_OAUTH_TOKEN_URL: requires KAFKA_OAUTH_CLIENT_ID and KAFKA_OAUTH_CLIENT_SECRET'];
}

function toKafkaConfig(values: RecordsValues): KafkaConfig {
  return {
    brokers: values.KAFKA_BROKERS,
    prefix: values.KAFKA_PREFIX!,
    groupPrefix: values.KAFKA_GROUP_PREFIX,
    replicationFactor: values.KAFKA_REPLICATION_FACTOR,
    tls: values.KAFKA_TLS ? toTlsFiles(values) : undefined,
    sasl: toSasl(values),
  };
}

function toSasl(values: RecordsValues): KafkaSasl | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_OAUTH_TOKEN_FILE: file } = values;
  if (mechanism === 'none') return undefined;
  if (mechanism !== 'OAUTHBEARER') {
    return { mechanism, username: values.KAFKA_SASL_USERNAME!, password: values.KAFKA_SASL_PASSWORD! };
  }
  if (file !== undefined) return { mechanism, token: { file } };
  return {
    mechanism,
    token: {
      url: values.KAFKA_OAUTH_TOKEN_URL!,
      clientId: values.KAFKA_OAUTH_CLIENT_ID!,
      clientSecret: values.KAFKA_OAUTH_CLIENT_SECRET!,
      scope: values.KAFKA_OAUTH_SCOPE,
    },
  };
}

function toTlsFiles(values: RecordsValues): TlsFiles {
  return {
    stem: 'KAFKA_TLS',
    caFile: values.KAFKA_TLS_CA_FILE,
    certFile: values.KAFKA_TLS_CERT_FILE,
    keyFile: values.KAFKA_TLS_KEY_FILE,
    serverName: values.KAFKA_TLS_SERVER_NAME,
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
