/** The configuration of Kafka. Separate from the client, which is loaded only if Kafka is configured. */
export interface KafkaConfig {
  brokers: readonly string[];
  tls: { caFile: string | undefined } | undefined;
  sasl: { mechanism: SaslMechanism; username: string; password: string } | undefined;
  replicationFactor: number;
  /** Prefix of topic and group names, so that several installations can share a cluster. */
  prefix: string;
}

export const saslMechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
export type SaslMechanism = (typeof saslMechanisms)[number];
