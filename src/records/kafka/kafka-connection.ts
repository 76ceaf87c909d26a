/** How brokers are reached, in the words of the client. */
import { readFileSync } from 'node:fs';
import type { BaseOptions } from '@platformatic/kafka';
import type { KafkaConfig } from '../kafka-config.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** How long a broker may wait for its replicas. */
const REQUEST_TIMEOUT_MS = 5_000;
const RETRIES = 2;
export const RETRY_DELAY_MS = 200;
/** The client itself waits for an answer for as long as the connection lasts. */
export interface KafkaTimeouts {
  /** Of a send, with the retries of the client. */
  sendMs: number;
  /** Of finding out which topics there are, and making the others. */
  topicsMs: number;
}
export const TIMEOUTS: KafkaTimeouts = { sendMs: 12_000, topicsMs: 15_000 };
/** For so long after it was begun, what could not be sent is sent anew; with a send, shorter than a relay has its lane. */
export const SEND_AGAIN_MS = 3_000;

export function toBaseOptions({ brokers, tls, sasl }: KafkaConfig): BaseOptions {
  return {
    clientId: 'fairline',
    bootstrapBrokers: [...brokers],
    connectTimeout: CONNECT_TIMEOUT_MS,
    timeout: REQUEST_TIMEOUT_MS,
    retries: RETRIES,
    retryDelay: RETRY_DELAY_MS,
    ...(tls === undefined ? {} : { tls: tls.caFile === undefined ? {} : { ca: readFileSync(tls.caFile) } }),
    ...(sasl === undefined ? {} : { sasl }),
  };
}

/** A consumer that is not needed any more; what goes wrong with its goodbye concerns nobody. */
export async function closeConsumer(consumer: { close(force?: boolean): unknown }): Promise<void> {
  try {
    await consumer.close(true);
  } catch {
    // Its group finds out by itself.
  }
}
