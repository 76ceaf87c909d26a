/** Settings of the record log (Kafka or the database), of statistics and of memberships. */
import { integer, list, oneOf, onOff, secret, text, type Values } from '../platform/settings/settings.ts';
import { type KafkaConfig, type SaslMechanism, saslMechanisms } from '../records/kafka-config.ts';

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
  KAFKA_REPLICATION_FACTOR: integer({
    default: 1,
    min: 1,
    max: 9,
    about: 'Replication factor of topics that Fairline creates.',
  }),
  KAFKA_TLS: onOff({ default: false, about: 'Connect to the brokers over TLS.' }),
  KAFKA_TLS_CA_FILE: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'a readable file',
    about: 'CA certificates (PEM) to verify the brokers with, instead of the system’s.',
  }),
  KAFKA_SASL_MECHANISM: oneOf({
    default: 'none',
    values: ['none', ...saslMechanisms],
    about: 'SASL mechanism.',
  }),
  KAFKA_SASL_USERNAME: text({ default: undefined, pattern: /^.+$/, allowed: 'a name', about: 'SASL user name.' }),
  KAFKA_SASL_PASSWORD: secret({ minLength: 1, about: 'SASL password.' }),
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
  const problems: string[] = [];
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD } = values;
  if (mechanism !== 'none' && (KAFKA_SASL_USERNAME === undefined || KAFKA_SASL_PASSWORD === undefined)) {
    problems.push(`KAFKA_SASL_MECHANISM=${mechanism}: requires KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD`);
  }
  if (values.KAFKA_TLS_CA_FILE !== undefined && !values.KAFKA_TLS) {
    problems.push('KAFKA_TLS_CA_FILE: requires KAFKA_TLS=on');
  }
  if (!isTimeZone(values.STATS_TIME_ZONE!)) {
    problems.push(`STATS_TIME_ZONE=${values.STATS_TIME_ZONE}: expected an IANA time zone, such as Asia/Seoul`);
  }
  return problems;
}

function toKafkaConfig(values: RecordsValues): KafkaConfig {
  const mechanism = values.KAFKA_SASL_MECHANISM;
  return {
    brokers: values.KAFKA_BROKERS,
    prefix: values.KAFKA_PREFIX!,
    replicationFactor: values.KAFKA_REPLICATION_FACTOR,
    tls: values.KAFKA_TLS ? { caFile: values.KAFKA_TLS_CA_FILE } : undefined,
    sasl:
      mechanism === 'none'
        ? undefined
        : {
            mechanism: mechanism as SaslMechanism,
            username: values.KAFKA_SASL_USERNAME!,
            password: values.KAFKA_SASL_PASSWORD!,
          },
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
