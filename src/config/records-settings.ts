/** The part of the table of settings that is about records, statistics, memberships and notices. */
import type { SqsConfig } from '../notices/sqs/sqs-sink.ts';
import type { WebhookConfig } from '../notices/webhook/webhook-sink.ts';
import {
  integer,
  list,
  oneOf,
  onOff,
  SECRET_MIN_LENGTH,
  secret,
  text,
  type Values,
} from '../platform/settings/settings.ts';
import { type KafkaConfig, type SaslMechanism, saslMechanisms } from '../records/kafka-config.ts';

export const recordsSettings = {
  KAFKA_BROKERS: list({
    default: [],
    defaultText: 'none: a log in the database',
    pattern: /^[A-Za-z0-9._-]+:\d{1,5}$/,
    allowed: 'host:port of some brokers, separated by commas',
    about: 'Keeps the records in this Kafka cluster (`docs/reference/records.md`).',
  }),
  KAFKA_PREFIX: text({
    default: '',
    defaultText: 'none',
    pattern: /^[A-Za-z0-9._-]{0,64}$/,
    allowed: 'letters, digits, ., _ and -, 64 at most',
    about: 'Before the names of topics and groups, where several installations share a cluster.',
  }),
  KAFKA_REPLICATION_FACTOR: integer({
    default: 1,
    min: 1,
    max: 9,
    about: 'On how many brokers each topic is kept that is made because it is missing.',
  }),
  KAFKA_TLS: onOff({ default: false, about: 'Whether brokers are spoken to over TLS.' }),
  KAFKA_TLS_CA_FILE: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'a file that this program may read',
    about: 'Certificates (PEM) by which brokers are known, instead of those that everybody trusts.',
  }),
  KAFKA_SASL_MECHANISM: oneOf({
    default: 'none',
    values: ['none', ...saslMechanisms],
    about: 'How this program says who it is.',
  }),
  KAFKA_SASL_USERNAME: text({ default: undefined, pattern: /^.+$/, allowed: 'a name', about: 'As whom.' }),
  KAFKA_SASL_PASSWORD: secret({ minLength: 1, about: 'By which password.' }),
  RECORDS_POLL_MS: integer({
    default: 250,
    min: 10,
    max: 60_000,
    about: 'How often the outbox, and a log in the database, are looked at for something new.',
  }),
  RECORDS_TRIES: integer({
    default: 5,
    min: 1,
    max: 20,
    about: 'How often a record is tried before it is put aside in the dlq of its topic.',
  }),
  RECORDS_RETRY_MS: integer({
    default: 100,
    min: 1,
    max: 60_000,
    about: 'The pause before the second try of a record; before each further one it is twice as long.',
  }),
  STATS_TIME_ZONE: text({
    default: 'UTC',
    pattern: /^[A-Za-z0-9_+/-]{1,64}$/,
    allowed: 'the name of a time zone, as Asia/Seoul',
    about: 'Where a day of the statistics begins.',
  }),
  MEMBERSHIP_PRICE: integer({
    default: 30_000,
    min: 0,
    max: 2_000_000_000,
    about: 'What a membership costs, in the smallest unit of CURRENCY.',
  }),
  MEMBERSHIP_DAYS: integer({ default: 365, min: 1, max: 3_650, about: 'How long a membership lasts.' }),
  MEMBERSHIP_PRESALE_HOURS: integer({
    default: 24,
    min: 0,
    max: 8_760,
    about: 'How long before `onSaleAt` of an event members may buy.',
  }),
  SQS_ENABLED: onOff({
    default: false,
    about: 'Whether admissions are told to an SQS FIFO queue (`docs/guides/notices.md`).',
  }),
  SQS_QUEUE_URL: text({
    default: undefined,
    pattern: /^https?:\/\/.+\.fifo$/,
    allowed: 'the address of a FIFO queue, which ends in .fifo',
    about: 'Which one. Region and credentials are found as the AWS SDK finds them.',
  }),
  SQS_ENDPOINT: text({
    default: undefined,
    pattern: /^https?:\/\/.+$/,
    allowed: 'an http or https address',
    about: 'Another server than that of AWS_REGION, as for a trial; it is sent no credentials of yours.',
  }),
  NOTICE_WEBHOOK_URL: text({
    default: undefined,
    pattern: /^https?:\/\/.+$/,
    allowed: 'an http or https address',
    about: 'Tells each admission to this address as well, signed.',
  }),
  NOTICE_WEBHOOK_SECRET: secret({ minLength: SECRET_MIN_LENGTH, about: 'Signs what is sent there.' }),
  NOTICE_QUEUE: integer({
    default: 10_000,
    min: 1,
    max: 1_000_000,
    about: 'Notices that may wait to be sent; what does not fit is lost, and counted.',
  }),
};

export interface RecordsConfig {
  /** undefined: a log in the database. */
  kafka: KafkaConfig | undefined;
  pollMs: number;
  tries: number;
  retryMs: number;
  timeZone: string;
  membership: { amount: number; days: number; presaleHours: number };
}

export interface NoticesConfig {
  sqs: SqsConfig | undefined;
  webhook: WebhookConfig | undefined;
  most: number;
}

type RecordsValues = Values<typeof recordsSettings>;

const WEBHOOK_TRIES = 4;
const WEBHOOK_RETRY_MS = 200;

export function recordsFrom(values: RecordsValues): RecordsConfig {
  return {
    kafka: values.KAFKA_BROKERS.length === 0 ? undefined : kafkaFrom(values),
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

export function noticesFrom(values: RecordsValues): NoticesConfig {
  const { SQS_ENABLED, SQS_QUEUE_URL: queueUrl, SQS_ENDPOINT: endpoint, NOTICE_WEBHOOK_URL: url } = values;
  const hook = { tries: WEBHOOK_TRIES, retryMs: WEBHOOK_RETRY_MS };
  return {
    sqs: SQS_ENABLED && queueUrl !== undefined ? { queueUrl, endpoint } : undefined,
    webhook: url === undefined ? undefined : { url, secret: values.NOTICE_WEBHOOK_SECRET!, ...hook },
    most: values.NOTICE_QUEUE,
  };
}

/** Settings that are each allowed, but not together. */
export function problemsOfRecords(values: RecordsValues): string[] {
  const problems: string[] = [];
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD } = values;
  if (mechanism !== 'none' && (KAFKA_SASL_USERNAME === undefined || KAFKA_SASL_PASSWORD === undefined)) {
    problems.push(`KAFKA_SASL_MECHANISM=${mechanism}: needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD`);
  }
  if (values.KAFKA_TLS_CA_FILE !== undefined && !values.KAFKA_TLS) {
    problems.push('KAFKA_TLS_CA_FILE: needs KAFKA_TLS=on');
  }
  if (values.SQS_ENABLED && values.SQS_QUEUE_URL === undefined) problems.push('SQS_ENABLED=on: needs SQS_QUEUE_URL');
  if (values.NOTICE_WEBHOOK_URL !== undefined && values.NOTICE_WEBHOOK_SECRET === undefined) {
    problems.push('NOTICE_WEBHOOK_URL: needs NOTICE_WEBHOOK_SECRET, by which its receiver knows that we sent it');
  }
  if (!isTimeZone(values.STATS_TIME_ZONE!)) {
    problems.push(`STATS_TIME_ZONE=${values.STATS_TIME_ZONE}: allowed is the name of a time zone, as Asia/Seoul`);
  }
  return problems;
}

function kafkaFrom(values: RecordsValues): KafkaConfig {
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
