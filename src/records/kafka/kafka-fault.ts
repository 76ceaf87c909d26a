/** Whether a broker answers. */
import { Admin, type BaseOptions } from '@platformatic/kafka';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';

const TIMEOUT_MS = 2_000;

/** Why no broker can be used now; undefined if one answers. Never rejects. */
export async function findBrokerFault(connection: BaseOptions): Promise<string | undefined> {
  const admin = new Admin(connection);
  try {
    await withTimeout(TIMEOUT_MS, admin.listTopics(), 'Kafka');
    return undefined;
  } catch (error) {
    return `Kafka cannot be reached: ${reasonOf(error as Error)}`;
  } finally {
    // Not awaited: a broker that does not respond does not respond to this either.
    admin.close().catch(() => {});
  }
}

/** The client reports all its attempts as one error, whose own message says only that they failed. */
function reasonOf(error: Error & { errors?: Error[] }): string {
  const last = error.errors?.at(-1);
  return last === undefined ? error.message.replace(/\.$/, '') : reasonOf(last);
}
