/** Settings of notices: where admissions are announced (SQS, webhook). */
import type { SqsConfig } from '../notices/sqs/sqs-sink.ts';
import type { WebhookConfig } from '../notices/webhook/webhook-sink.ts';
import { integer, onOff, SECRET_MIN_LENGTH, secret, text, url, type Values } from '../platform/settings/settings.ts';

export const noticeSettings = {
  SQS_ENABLED: onOff({
    default: false,
    about: 'Send a notice of each admission to an SQS FIFO queue (`docs/guides/notices.md`).',
  }),
  SQS_QUEUE_URL: text({
    default: undefined,
    pattern: /^https?:\/\/.+\.fifo$/,
    allowed: 'the URL of a FIFO queue, ending in .fifo',
    about: 'URL of the SQS queue. Region and credentials come from the AWS SDK’s default chain.',
  }),
  SQS_ENDPOINT: text({
    default: undefined,
    pattern: /^https?:\/\/.+$/,
    allowed: 'an http or https URL',
    about: 'SQS endpoint instead of that of AWS_REGION, for local tests. It is not sent your AWS credentials.',
  }),
  NOTICE_WEBHOOK_URL: url({
    default: undefined,
    protocols: ['http:', 'https:'],
    // fetch refuses a URL with credentials, and its error contains them.
    hasCredentials: false,
    allowed: 'an http or https URL without user and password',
    about: 'Webhook that receives a signed notice of each admission.',
  }),
  NOTICE_WEBHOOK_SECRET: secret({
    minLength: SECRET_MIN_LENGTH,
    takesBytes: true,
    about: 'Signs the requests to NOTICE_WEBHOOK_URL.',
  }),
  NOTICE_QUEUE: integer({
    default: 10_000,
    min: 1,
    max: 1_000_000,
    about: 'Maximum number of queued notices. When the queue is full, new ones are dropped and counted.',
  }),
};

export interface NoticesConfig {
  sqs: SqsConfig | undefined;
  webhook: WebhookConfig | undefined;
  most: number;
}

type NoticeValues = Values<typeof noticeSettings>;

const WEBHOOK_TRIES = 4;
const WEBHOOK_RETRY_MS = 200;

export function toNoticesConfig(values: NoticeValues): NoticesConfig {
  const { SQS_ENABLED, SQS_QUEUE_URL: queueUrl, SQS_ENDPOINT: endpoint, NOTICE_WEBHOOK_URL } = values;
  const hook = { tries: WEBHOOK_TRIES, retryMs: WEBHOOK_RETRY_MS };
  return {
    sqs: SQS_ENABLED && queueUrl !== undefined ? { queueUrl, endpoint } : undefined,
    webhook:
      NOTICE_WEBHOOK_URL === undefined
        ? undefined
        : { url: NOTICE_WEBHOOK_URL, secret: values.NOTICE_WEBHOOK_SECRET!, ...hook },
    most: values.NOTICE_QUEUE,
  };
}

export function findNoticeProblems(values: NoticeValues): string[] {
  const problems: string[] = [];
  if (values.SQS_ENABLED && values.SQS_QUEUE_URL === undefined) problems.push('SQS_ENABLED=on: requires SQS_QUEUE_URL');
  if (values.NOTICE_WEBHOOK_URL !== undefined && values.NOTICE_WEBHOOK_SECRET === undefined) {
    problems.push('NOTICE_WEBHOOK_URL: requires NOTICE_WEBHOOK_SECRET, so that the receiver can verify the sender');
  }
  return problems;
}
