/** Whether a broker answers. */
import { Admin, type BaseOptions } from '@platformatic/kafka';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { UNUSABLE_LOG } from '../record-log.ts';
import { explainKafkaError } from './explain-kafka-error.ts';

const TIMEOUT_MS = 2_000;

/** Why no broker can be used now; undefined if one answers. Never rejects. */
export async function findBrokerFault(connection: BaseOptions): Promise<string | undefined> {
  // One try: a broker takes its time to refuse a password, and the next check comes soon.
  const admin = new Admin({ ...connection, retries: 0 });
  try {
    await withTimeout(TIMEOUT_MS, admin.listTopics(), 'Kafka');
    return undefined;
  } catch (error) {
    const { reason, advice } = await explainKafkaError(error as Error, connection);
    return advice === undefined ? `Kafka cannot be reached: ${reason}` : `${UNUSABLE_LOG}: ${reason}; ${advice}`;
  } finally {
    // Not awaited: a broker that does not respond does not respond to this either.
    admin.close().catch(() => {});
  }
}
