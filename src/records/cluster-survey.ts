/** The state of a Kafka cluster and its topics. */
export interface ClusterSurvey {
  brokers: number;
  /** The requested topics that exist. */
  topics: Map<string, TopicSurvey>;
}

export interface TopicSurvey {
  partitions: number;
  /** The smallest number of any partition. */
  replicas: number;
  /** Partitions without a leader, which can be neither read nor written. */
  withoutLeader: number;
}
