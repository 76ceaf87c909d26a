/** The configuration of Kafka. Separate from the client, which is loaded only if Kafka is configured. */
import type { TlsFiles } from '../platform/tls/tls-config.ts';

export interface KafkaConfig {
  brokers: readonly string[];
  tls: TlsFiles | undefined;
  sasl: KafkaSasl | undefined;
  replicationFactor: number;
  /** Prefix of topic and group names, so that several installations can share a cluster. */
  prefix: string;
  /** Prefix of group names, if it is not `prefix`. */
  groupPrefix?: string | undefined;
}

export type KafkaSasl =
  | { mechanism: SaslMechanism; username: string; password: string }
  | { mechanism: 'OAUTHBEARER'; token: OAuthTokenSource };

export type OAuthTokenSource =
  /** Read again for every connection, because it is renewed. */
  | { file: string }
  /** Client credentials (RFC 6749, 4.4). */
  | { url: string; clientId: string; clientSecret: string; scope: string | undefined };

export const saslMechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
export type SaslMechanism = (typeof saslMechanisms)[number];
