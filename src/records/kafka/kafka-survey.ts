/** Reads the state of a cluster without changing it. */
import { Admin } from '@platformatic/kafka';
import type { ClusterSurvey, TopicSurvey } from '../cluster-survey.ts';
import type { KafkaConfig } from '../kafka-config.ts';
import { explainKafkaError } from './explain-kafka-error.ts';
import { toBaseOptions } from './kafka-connection.ts';

export async function surveyCluster(config: KafkaConfig, topics: readonly string[]): Promise<ClusterSurvey> {
  const connection = { ...toBaseOptions(config), retries: 0 };
  const admin = new Admin(connection);
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
    const { reason, advice } = await explainKafkaError(error as Error, connection);
    throw new Error(advice === undefined ? reason : `${reason}; ${advice}`, { cause: error });
  } finally {
    await admin.close();
  }
}
