/** A Kafka broker with two ports: one that is open, and one with TLS and every SASL mechanism. */
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alterUserScramCredentialsV0, Connection, type SASLMechanismValue, ScramMechanisms } from '@platformatic/kafka';
import type { Certificates } from './certificates.ts';
import { freePort } from './free-port.ts';
import { type KafkaServer, startKafka } from './kafka-server.ts';
import { until } from './until.ts';

export const USER = 'fairline';
export const PASSWORD = 'of the user';
const MECHANISMS: SASLMechanismValue[] = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'];

export interface SecureKafka extends KafkaServer {
  /** With TLS and SASL. */
  secureAddress: string;
}

export async function startSecureKafka(certificates: Certificates): Promise<SecureKafka> {
  const port = await freePort();
  const { cert, key } = certificates.server;
  const keystore = join(certificates.folder, 'kafka.pem');
  writeFileSync(keystore, readFileSync(key, 'utf8') + readFileSync(cert, 'utf8'));
  const server = await startKafka((plainPort, controllerPort) => ({
    listeners: `PLAINTEXT://127.0.0.1:${plainPort},SECURE://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${plainPort},SECURE://localhost:${port}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT',
    'listener.name.secure.ssl.keystore.type': 'PEM',
    'listener.name.secure.ssl.keystore.location': keystore,
    'listener.name.secure.sasl.enabled.mechanisms': MECHANISMS.join(','),
    'listener.name.secure.plain.sasl.jaas.config': loginBy('plain.PlainLoginModule', `user_${USER}="${PASSWORD}"`),
    'listener.name.secure.scram-sha-256.sasl.jaas.config': loginBy('scram.ScramLoginModule'),
    'listener.name.secure.scram-sha-512.sasl.jaas.config': loginBy('scram.ScramLoginModule'),
    // The validator for unsigned tokens: it checks their times and the subject.
    'listener.name.secure.oauthbearer.sasl.jaas.config': loginBy(
      'oauthbearer.OAuthBearerLoginModule',
      'unsecuredLoginStringClaim_sub="broker"',
    ),
  }));
  await addScramUsers(server.address);
  return { ...server, secureAddress: `localhost:${port}` };
}

function loginBy(module: string, options = ''): string {
  return `org.apache.kafka.common.security.${module} required ${options};`;
}

async function addScramUsers(address: string): Promise<void> {
  const [host, port] = address.split(':') as [string, string];
  const connection = new Connection('tests');
  await connection.connect(host, Number(port));
  const users = [
    { mechanism: ScramMechanisms.SCRAM_SHA_256, hash: 'sha256', bytes: 32 },
    { mechanism: ScramMechanisms.SCRAM_SHA_512, hash: 'sha512', bytes: 64 },
  ].map(({ mechanism, hash, bytes }) => {
    const [salt, iterations] = [randomBytes(16), 4_096];
    return {
      name: USER,
      mechanism,
      iterations,
      salt,
      saltedPassword: pbkdf2Sync(PASSWORD, salt, iterations, bytes, hash),
    };
  });
  for (const user of users) {
    await until(`the user by ${user.mechanism}`, () =>
      alterUserScramCredentialsV0.api.async(connection, [], [user]).then(
        () => true,
        () => false,
      ),
    );
  }
  await connection.close();
}

/** A token for the validator of unsigned tokens. */
export function unsignedToken(claims: { sub: string; expiresIn: number }): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  return `${encode({ alg: 'none' })}.${encode({ sub: claims.sub, iat, exp: iat + claims.expiresIn })}.`;
}
