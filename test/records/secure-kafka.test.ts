/** Kafka with TLS and SASL: every mechanism, and what is said about wrong settings. */
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { KafkaRecordLog } from '../../src/records/kafka/kafka-record-log.ts';
import { createTokenProvider } from '../../src/records/kafka/oauth-token.ts';
import { type KafkaConfig, type KafkaSasl, saslMechanisms } from '../../src/records/kafka-config.ts';
import { type Certificates, makeCertificates } from '../support/certificates.ts';
import { describeWithKafka } from '../support/kafka-server.ts';
import { PASSWORD, type SecureKafka, startSecureKafka, USER, unsignedToken } from '../support/secure-kafka.ts';
import { runProgram } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

describeWithKafka('a Kafka broker with TLS and SASL', () => {
  let certificates: Certificates;
  let kafka: SecureKafka;
  beforeAll(async () => {
    certificates = makeCertificates();
    kafka = await startSecureKafka(certificates);
  });
  afterAll(async () => {
    await kafka?.stop();
    rmSync(certificates.folder, { recursive: true });
  });

  const config = (change: Partial<KafkaConfig> = {}): KafkaConfig => ({
    brokers: [kafka.secureAddress],
    tls: { stem: 'KAFKA_TLS', caFile: certificates.ca },
    sasl: { mechanism: 'PLAIN', username: USER, password: PASSWORD },
    replicationFactor: 1,
    prefix: '',
    ...change,
  });

  function open(change: Partial<KafkaConfig> = {}): KafkaRecordLog {
    const log = new KafkaRecordLog(config(change), pino({ level: 'silent' }));
    onTestFinished(() => log.close());
    return log;
  }

  /** Writes a record and reads it back. */
  async function works(sasl: KafkaSasl, topic: string): Promise<void> {
    const log = open({ sasl });
    expect(await log.findFault()).toBeUndefined();
    await log.publish([{ topic, key: 'a', value: 'b' }]);
    const read: string[] = [];
    await log.drain({
      group: undefined,
      topics: [topic],
      handle: async (all) => void read.push(...all.map((m) => m.value)),
    });
    expect(read).toEqual(['b']);
  }

  it.each(saslMechanisms)('is used with %s', (mechanism) =>
    works({ mechanism, username: USER, password: PASSWORD }, `by-${mechanism}`),
  );

  it('is used with an OAuth token from a file', async () => {
    const file = join(certificates.folder, 'token');
    writeFileSync(file, `${unsignedToken({ sub: USER, expiresIn: 600 })}\n`);
    await works({ mechanism: 'OAUTHBEARER', token: { file } }, 'by-token-file');
  });

  it('is used with an OAuth token that the issuer gives for client credentials', async () => {
    const issuer = await startIssuer();
    const source = { url: issuer.url, clientId: 'fairline', clientSecret: 'client secret', scope: 'kafka' };
    await works({ mechanism: 'OAUTHBEARER', token: source }, 'by-issuer');
    // One token serves the connections of the producer, the consumer and the checks.
    expect(issuer.asked()).toBe(1);
  });

  const wrong: [string, () => Partial<KafkaConfig>, RegExp][] = [
    [
      'a wrong password with PLAIN',
      () => ({ sasl: { mechanism: 'PLAIN', username: USER, password: 'wrong' } }),
      /check KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD/,
    ],
    [
      'a wrong password with SCRAM',
      () => ({ sasl: { mechanism: 'SCRAM-SHA-512', username: USER, password: 'wrong' } }),
      /check KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD/,
    ],
    [
      'an expired token',
      () => {
        const file = join(certificates.folder, 'expired');
        writeFileSync(file, unsignedToken({ sub: USER, expiresIn: -600 }));
        return { sasl: { mechanism: 'OAUTHBEARER', token: { file } } };
      },
      /does not accept the OAuth token: check its issuer, audience and expiry/,
    ],
    [
      'a token file that is missing',
      () => ({ sasl: { mechanism: 'OAUTHBEARER', token: { file: '/nowhere/token' } } }),
      /KAFKA_OAUTH_TOKEN_FILE=\/nowhere\/token: cannot be read/,
    ],
    [
      'a CA that did not sign its certificate',
      () => ({ tls: { stem: 'KAFKA_TLS', caFile: certificates.otherCa } }),
      /signed by no CA that is trusted here: set KAFKA_TLS_CA_FILE/,
    ],
    [
      'another host name',
      () => ({ tls: { stem: 'KAFKA_TLS', caFile: certificates.ca, serverName: 'elsewhere.test' } }),
      /certificate is for another name: .* set KAFKA_TLS_SERVER_NAME/,
    ],
    ['no TLS', () => ({ tls: undefined }), /it expects TLS: set KAFKA_TLS=on/],
    ['TLS at its plain port', () => ({ brokers: [kafka.address] }), /does not speak TLS: set KAFKA_TLS=off/],
    [
      'SASL at a port without it',
      () => ({ brokers: [kafka.address], tls: undefined }),
      /expects no SASL: set KAFKA_SASL_MECHANISM=none/,
    ],
  ];

  it.each(wrong)('is refused with %s: the fault says what to do', async (_, change, message) => {
    const fault = await open(change()).findFault();
    expect(fault).toMatch(message);
    expect(fault).toMatch(/^Kafka cannot be used: /);
    expect(fault).not.toContain(PASSWORD);
  });

  it('fails the start of a process with a wrong password, in one line', async () => {
    const { code, output } = await runProgram(['start'], {
      ...{ DATA_DIR: tempFolder(), PORT: '0', DEMO: 'off', LOG_LEVEL: 'warn' },
      ...{ KAFKA_BROKERS: kafka.secureAddress, KAFKA_TLS: 'on', KAFKA_TLS_CA_FILE: certificates.ca },
      ...{ KAFKA_SASL_MECHANISM: 'SCRAM-SHA-256', KAFKA_SASL_USERNAME: USER, KAFKA_SASL_PASSWORD: 'wrong' },
    });
    expect(code).toBe(1);
    expect(output).toMatch(
      /^fairline: Kafka cannot be used: [^\n]*; check KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD$/m,
    );
    expect(output).not.toMatch(/^ {4}at /m);
  });

  it('closes the connection of a client that does not sign in: the fault says what may be wrong', async () => {
    expect(await open({ sasl: undefined }).findFault()).toMatch(
      /if this port requires SASL, set KAFKA_SASL_MECHANISM$/,
    );
  });

  it('is waited for while it is away', async () => {
    expect(await open({ brokers: ['localhost:1'] }).findFault()).toMatch(/^Kafka cannot be reached: /);
  });
});

it('asks the issuer again when most of the lifetime is over, and says what is wrong with the credentials', async () => {
  const issuer = await startIssuer();
  let now = 0;
  const source = { url: issuer.url, clientId: 'fairline', clientSecret: 'client secret', scope: 'kafka' };
  const provide = createTokenProvider(source, () => now);
  const first = await Promise.all([provide(), provide()]);
  expect(first[0]).toBe(first[1]);
  now = 470_000;
  await provide();
  expect(issuer.asked()).toBe(1);
  now = 490_000;
  await provide();
  expect(issuer.asked()).toBe(2);
  await expect(createTokenProvider({ ...source, clientSecret: 'wrong' })()).rejects.toThrow(
    /refuses our credentials \(401, invalid_client\); check KAFKA_OAUTH_CLIENT_ID, KAFKA_OAUTH_CLIENT_SECRET/,
  );
});

/** A token endpoint as RFC 6749 describes it. Its tokens last 600 s. */
async function startIssuer(): Promise<{ url: string; asked(): number }> {
  let asked = 0;
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const expected = `Basic ${Buffer.from('fairline:client%20secret').toString('base64')}`;
      const isRight =
        request.headers.authorization === expected && body === 'grant_type=client_credentials&scope=kafka';
      response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' });
      asked += isRight ? 1 : 0;
      const token = {
        access_token: unsignedToken({ sub: USER, expiresIn: 600 }),
        expires_in: 600,
        token_type: 'Bearer',
      };
      response.end(JSON.stringify(isRight ? token : { error: 'invalid_client' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`, asked: () => asked };
}
