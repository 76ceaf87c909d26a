/** Sends notices to an SQS FIFO queue: ordered per event, and each visitor at most once within five minutes. */
import { createHash } from 'node:crypto';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { dedupeIdOf, type Notice } from '../notice.ts';
import type { NoticeSink } from '../notice-sink.ts';

export interface SqsConfig {
  queueUrl: string;
  /** A local SQS server instead of AWS, for trials; receives no credentials. */
  endpoint: string | undefined;
}

/** The maximum of SQS. */
const BATCH = 10;
const CONNECT_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 3_000;
const TRIES = 2;
/** Valid deduplication ids of SQS. */
const ALLOWED = /^[\x21-\x7e]{1,128}$/;

export function createSqsSink({ queueUrl, endpoint }: SqsConfig): NoticeSink {
  const client = new SQSClient({
    maxAttempts: TRIES,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    ...(endpoint === undefined
      ? {}
      : { endpoint, region: 'local', credentials: { accessKeyId: '-', secretAccessKey: '-' } }),
  });
  return {
    name: 'sqs',
    batchSize: BATCH,
    // Concurrent batches could arrive out of order.
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
