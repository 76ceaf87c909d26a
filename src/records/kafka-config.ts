/** How Kafka is configured: apart from its client, which is loaded only where there is a cluster. */
export interface KafkaConfig {
  brokers: readonly string[];
  tls: { caFile: string | undefined } | undefined;
  sasl: { mechanism: SaslMechanism; username: string; password: string } | undefined;
  replicationFactor: number;
  /** Before the names of topics and groups, so that several installations can share a cluster. */
  prefix: string;
}

export const saslMechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
export type SaslMechanism = (typeof saslMechanisms)[number];
