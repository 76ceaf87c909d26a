/** Settings of tier 1, the numbering before the site. */
import { integer, oneOf, text, type Values } from '../platform/settings/settings.ts';

export const tier1Settings = {
  VWR_STORE: oneOf({
    default: 'auto',
    values: ['auto', 'dynamodb'],
    about: 'Store of tier 1. auto: the store of the lines. dynamodb: two DynamoDB tables (docs/explanation/tier1.md).',
  }),
  VWR_DYNAMODB_PREFIX: text({
    default: 'fairline',
    pattern: /^[A-Za-z0-9_.-]{1,200}$/,
    allowed: '1 to 200 letters, digits, _, . or -',
    about: 'Prefix of the two table names: `{prefix}-vwr-counters`, `{prefix}-vwr-positions`.',
  }),
  VWR_DYNAMODB_ENDPOINT: text({
    default: undefined,
    pattern: /^https?:\/\/.+$/,
    allowed: 'an http or https URL',
    about: 'DynamoDB endpoint instead of that of AWS_REGION, for local tests. It is not sent your AWS credentials.',
  }),
  VWR_BATCH_SIZE: integer({
    default: 500,
    min: 1,
    max: 1_000_000,
    about: 'Visitors that tier 1 serves per cycle, spread evenly over the cycle.',
  }),
  VWR_CYCLE_MS: integer({ default: 10_000, min: 100, max: 3_600_000, about: 'Length of a cycle of tier 1.' }),
  VWR_MAX_LINE: integer({
    default: 0,
    min: 0,
    max: 100_000_000,
    about: 'Tier 1 pauses while more visitors than this wait in the line of the event; 0: no limit.',
  }),
  VWR_PLACE_TTL_SECONDS: integer({
    default: 604_800,
    min: 60,
    max: 7_776_000,
    about: 'How long a signed place of tier 1 stays valid, even if the device is offline meanwhile.',
  }),
  VWR_CHALLENGE_DIGITS: integer({
    default: 4,
    min: 1,
    max: 7,
    about:
      'Least proof of work, for a number or a place: 16 to this power hashes on average. It grows with each identity.',
  }),
};

export interface Tier1Config {
  /** undefined: the store of the lines. */
  dynamodb: DynamoDbConfig | undefined;
  pace: { batchSize: number; cycleMs: number };
  /** 0: no limit. */
  maxLine: number;
  placeTtlMs: number;
  challengeDigits: number;
}

export interface DynamoDbConfig {
  prefix: string;
  endpoint: string | undefined;
}

export function toTier1Config(values: Values<typeof tier1Settings>): Tier1Config {
  return {
    dynamodb:
      values.VWR_STORE === 'dynamodb'
        ? { prefix: values.VWR_DYNAMODB_PREFIX!, endpoint: values.VWR_DYNAMODB_ENDPOINT }
        : undefined,
    pace: { batchSize: values.VWR_BATCH_SIZE, cycleMs: values.VWR_CYCLE_MS },
    maxLine: values.VWR_MAX_LINE,
    placeTtlMs: values.VWR_PLACE_TTL_SECONDS * 1000,
    challengeDigits: values.VWR_CHALLENGE_DIGITS,
  };
}
