/** Notices to an SQS FIFO queue: in order for each event, each visitor of it once within five minutes. */
import { createHash } from 'node:crypto';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { dedupeIdOf, type Notice } from '../notice.ts';
import type { NoticeSink } from '../notice-sink.ts';

export interface SqsConfig {
  queueUrl: string;
  /** Another server than that of AWS_REGION, as for a trial; it is sent no credentials. */
  endpoint: string | undefined;
}

/** The most that SQS takes. */
const BATCH = 10;
const CONNECT_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 3_000;
const TRIES = 2;
/** Of a deduplication id, by SQS's rules. */
const ALLOWED = /^[\x21-\x7e]{1,128}$/;

export function createSqsSink({ queueUrl, endpoint }: SqsConfig): NoticeSink {
  const client = new SQSClient({
    maxAttempts: TRIES,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    ...(endpoint === undefined
      ? {}
      : { endpoint, region: 'local', credentials: { accessKeyId: '-', secretAccessKey: '-' } }),
  });
  return {
    name: 'sqs',
    batchSize: BATCH,
    // Two at once could overtake each other.
    concurrency: 1,
    async send(notices) {
      const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: notices.map(toEntry) });
      const { Failed } = await client.send(command, { abortSignal: AbortSignal.timeout(REQUEST_TIMEOUT_MS * TRIES) });
      return Failed?.length ?? 0;
    },
    async close() {
      client.destroy();
    },
  };
}

function toEntry(notice: Notice, index: number) {
  const id = dedupeIdOf(notice);
  return {
    Id: String(index),
    MessageBody: JSON.stringify(notice),
    MessageGroupId: notice.eventId,
    MessageDeduplicationId: ALLOWED.test(id) ? id : createHash('sha256').update(id).digest('hex'),
  };
}
