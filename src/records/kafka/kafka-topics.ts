/** Creates missing topics. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Admin, type BaseOptions } from '@platformatic/kafka';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import { PARTITIONS } from '../topics.ts';
import { TIMEOUTS } from './kafka-connection.ts';

/** Unlimited retention: statistics are rebuilt from the log, and a purchase has only a few records. */
const CONFIGS = [{ name: 'retention.ms', value: '-1' }];
const LOOK_MS = 50;
const MOST_LOOKS = 100;
const EXISTS = 'TOPIC_ALREADY_EXISTS';

export async function createMissingTopics(
  connection: BaseOptions,
  topics: readonly string[],
  replicas: number,
  timeoutMs = TIMEOUTS.topicsMs,
): Promise<void> {
  const admin = new Admin(connection);
  try {
    await withTimeout(timeoutMs, createMissing(admin, topics, replicas), 'Kafka');
  } finally {
    // Not awaited: a broker that does not respond does not respond to this either.
    admin.close().catch(() => {});
  }
}

async function createMissing(admin: Admin, topics: readonly string[], replicas: number): Promise<void> {
  const there = new Set(await admin.listTopics());
  // One call each: a topic that another process has just created must not fail the others.
  for (const topic of topics.filter((name) => !there.has(name))) {
    await admin.createTopics({ topics: [topic], partitions: PARTITIONS, replicas, configs: CONFIGS }).catch((error) => {
      if (!isExisting(error)) throw error;
    });
  }
  await untilLed(admin, topics);
}

/** A new topic has no leaders at first. Sends at that moment fail in part, and their retry duplicates messages. */
async function untilLed(admin: Admin, topics: readonly string[]): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const { topics: found } = await admin.metadata({ topics: [...topics], forceUpdate: true });
    const isLed = (name: string) => found.get(name)?.partitions.every(({ leader }) => leader >= 0) ?? false;
    if (topics.every(isLed)) return;
    await sleep(LOOK_MS);
  }
}

function isExisting(error: { errors?: { apiId?: string }[] }): boolean {
  return error.errors?.some(({ apiId }) => apiId === EXISTS) ?? false;
}
