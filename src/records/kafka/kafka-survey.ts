/** Reads the state of a cluster without changing it. */
import { Admin } from '@platformatic/kafka';
import type { ClusterSurvey, TopicSurvey } from '../cluster-survey.ts';
import type { KafkaConfig } from '../kafka-config.ts';
import { toBaseOptions } from './kafka-connection.ts';

export async function surveyCluster(config: KafkaConfig, topics: readonly string[]): Promise<ClusterSurvey> {
  const admin = new Admin({ ...toBaseOptions(config), retries: 0 });
  try {
    const there = new Set(await admin.listTopics());
    const asked = topics.filter((topic) => there.has(config.prefix + topic));
    const found = await admin.metadata({ topics: asked.map((topic) => config.prefix + topic) });
    const survey = (topic: string): TopicSurvey => {
      const { partitions } = found.topics.get(config.prefix + topic)!;
      return {
        partitions: partitions.length,
        replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
        withoutLeader: partitions.filter(({ leader }) => leader < 0).length,
      };
    };
    return { brokers: found.brokers.size, topics: new Map(asked.map((topic) => [topic, survey(topic)])) };
  } catch (error) {
    throw new Error(reasonOf(error as Error), { cause: error });
  } finally {
    await admin.close();
  }
}

/** The innermost cause: the client wraps errors several times. */
function reasonOf(error: Error): string {
  const [inner = error.cause] = error instanceof AggregateError ? error.errors : [];
  return inner instanceof Error ? reasonOf(inner) : error.message;
}
