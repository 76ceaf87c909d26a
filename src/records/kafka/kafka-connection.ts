/** Connection options of the Kafka client: the only place that knows them. */
import type { BaseOptions } from '@platformatic/kafka';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import type { TlsFiles } from '../../platform/tls/tls-config.ts';
import { readTlsFiles } from '../../platform/tls/tls-files.ts';
import type { KafkaConfig, KafkaSasl } from '../kafka-config.ts';
import { createTokenProvider } from './oauth-token.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** How long a broker waits for its replicas. */
const REQUEST_TIMEOUT_MS = 5_000;
const RETRIES = 2;
export const RETRY_DELAY_MS = 200;
/** Our own timeouts: the client waits for a response as long as the connection is open. */
export interface KafkaTimeouts {
  /** One send, including the client's retries. */
  sendMs: number;
  /** Listing the topics and creating missing ones. */
  topicsMs: number;
}
export const TIMEOUTS: KafkaTimeouts = { sendMs: 12_000, topicsMs: 15_000 };
/** How long failed sends are retried. */
export const SEND_AGAIN_MS = 3_000;

export function toBaseOptions({ brokers, tls, sasl }: KafkaConfig): BaseOptions {
  return {
    clientId: 'fairline',
    bootstrapBrokers: [...brokers],
    connectTimeout: CONNECT_TIMEOUT_MS,
    timeout: REQUEST_TIMEOUT_MS,
    retries: RETRIES,
    retryDelay: RETRY_DELAY_MS,
    ...(tls === undefined ? {} : toTls(tls)),
    ...(sasl === undefined ? {} : { sasl: toSasl(sasl) }),
  };
}

function toTls(files: TlsFiles): Pick<BaseOptions, 'tls' | 'tlsServerName'> {
  const { servername, ...tls } = readTlsFiles(files);
  return { tls, ...(servername === undefined ? {} : { tlsServerName: servername }) };
}

function toSasl(sasl: KafkaSasl): NonNullable<BaseOptions['sasl']> {
  if (!('token' in sasl)) return sasl;
  return { mechanism: sasl.mechanism, token: createTokenProvider(sasl.token), authBytesValidator: refuseChallenge };
}

/** A broker that refuses a token says so in what looks like success (RFC 7628, 3.2.2), and then accepts no request. */
const refuseChallenge: NonNullable<NonNullable<BaseOptions['sasl']>['authBytesValidator']> = (challenge, done) => {
  const isRefusal = challenge.toString('utf8').includes('"status"');
  done(isRefusal ? new Error('SASL authentication failed: invalid token') : null, challenge);
};

const CLOSE_MS = 2_000;

/** Leaves the group and closes the consumer; ignores errors, and a broker that does not respond. */
export async function closeConsumer(consumer: { close(force?: boolean): Promise<unknown> }): Promise<void> {
  try {
    await withTimeout(CLOSE_MS, consumer.close(true), 'Kafka');
  } catch {
    // The group notices when the session times out.
  }
}
