/** What there is of a Kafka cluster. */
export interface ClusterSurvey {
  brokers: number;
  /** Of those that were asked for, the ones that are there. */
  topics: Map<string, TopicSurvey>;
}

export interface TopicSurvey {
  partitions: number;
  /** Of the partition that has the fewest. */
  replicas: number;
  /** Partitions that can be neither read nor written now. */
  withoutLeader: number;
}
