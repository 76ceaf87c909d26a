/** Connections to Redis with TLS, passwords and ACL users, and what is said about wrong ones. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RedisAddress } from '../../../src/platform/redis/redis-address.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { describeWithRedis } from '../../support/redis-server.ts';
import {
  PASSWORD,
  type SecureCluster,
  type SecureRedis,
  startSecureCluster,
  startSecureRedis,
  USER,
  USER_PASSWORD,
} from '../../support/secure-redis.ts';
import { begin } from './begin.ts';

let certificates: Certificates;
const tls = () => ({ stem: 'REDIS_TLS', caFile: certificates.ca });

beforeAll(() => {
  certificates = makeCertificates();
});
afterAll(() => rmSync(certificates.folder, { recursive: true }));

const quoted = encodeURIComponent;

describeWithRedis('a Redis server with TLS and a password', () => {
  let redis: SecureRedis;
  beforeAll(async () => {
    redis = await startSecureRedis(certificates);
  });
  afterAll(() => redis?.stop());

  const url = (host = 'localhost', port = redis.tlsPort) => `rediss://${host}:${port}`;

  it('is used with the password in the URL or beside it, or as an ACL user', async () => {
    await begin({ url: `rediss://:${quoted(PASSWORD)}@localhost:${redis.tlsPort}`, tls: tls() });
    await begin({ url: url(), password: PASSWORD, tls: tls() });
    await begin({ url: url('127.0.0.1'), username: USER, password: USER_PASSWORD, tls: tls() });
  });

  it('is used with TLS also if the URL does not say so', async () => {
    await begin({ url: `redis://localhost:${redis.tlsPort}`, password: PASSWORD, tls: tls() });
  });

  const wrong: [string, () => RedisAddress, RegExp][] = [
    [
      'a wrong password',
      () => ({ url: url(), password: 'wrong', tls: tls() }),
      /^Redis cannot be reached: WRONGPASS .*; check REDIS_USERNAME and REDIS_PASSWORD/,
    ],
    [
      'an unknown user',
      () => ({ url: url(), username: 'nobody', password: USER_PASSWORD, tls: tls() }),
      /WRONGPASS .*; check REDIS_USERNAME and REDIS_PASSWORD/,
    ],
    ['no password', () => ({ url: url(), tls: tls() }), /NOAUTH .*it requires a password: set REDIS_PASSWORD/],
    [
      'a CA that did not sign its certificate',
      () => ({ url: url(), password: PASSWORD, tls: { ...tls(), caFile: certificates.otherCa } }),
      /signed by no CA that is trusted here: set REDIS_TLS_CA_FILE/,
    ],
    [
      'no CA',
      () => ({ url: url(), password: PASSWORD }),
      /signed by no CA that is trusted here: set REDIS_TLS_CA_FILE/,
    ],
    [
      'another host name',
      () => ({ url: url(), password: PASSWORD, tls: { ...tls(), serverName: 'elsewhere.test' } }),
      /certificate is for another name: .* set REDIS_TLS_SERVER_NAME/,
    ],
    [
      'no TLS at its TLS port',
      () => ({ url: `redis://localhost:${redis.tlsPort}`, password: PASSWORD }),
      /it expects TLS: use rediss:\/\/ or set REDIS_TLS=on/,
    ],
    [
      'TLS at its plain port',
      () => ({ url: url('localhost', redis.server.port), password: PASSWORD, tls: tls() }),
      /does not speak TLS: use redis:\/\//,
    ],
    [
      'a CA file that is none',
      () => ({ url: url(), password: PASSWORD, tls: { ...tls(), caFile: certificates.server.key } }),
      /REDIS_TLS_CA_FILE=.*server.key: no certificate in it; expected PEM/,
    ],
    [
      'a CA file that does not exist',
      () => ({ url: url(), password: PASSWORD, tls: { ...tls(), caFile: '/nowhere/ca.pem' } }),
      /REDIS_TLS_CA_FILE=\/nowhere\/ca.pem: cannot be read \(ENOENT\)/,
    ],
  ];

  it.each(wrong)('is refused with %s: the error says what to do', async (_, address, message) => {
    const error = await begin(address()).catch((reason) => reason);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(USER_PASSWORD);
  });

  it('is waited for while it is away', async () => {
    await expect(begin({ url: 'rediss://localhost:1', tls: tls() })).rejects.toThrow(/^waiting: .*ECONNREFUSED/);
  });

  it('says which permissions an ACL user lacks', async () => {
    await redis.command('ACL', 'SETUSER', 'weak', 'on', '>weak', '~*', '+@read', '+info');
    await expect(begin({ url: url(), username: 'weak', password: 'weak', tls: tls() })).rejects.toThrow(
      /NOPERM .*script.*; give the ACL user the permissions in docs\/guides\/redis\.md/,
    );
  });

  describe('that asks for a client certificate', () => {
    beforeAll(async () => void (await redis.command('CONFIG', 'SET', 'tls-auth-clients', 'yes')));
    afterAll(async () => void (await redis.command('CONFIG', 'SET', 'tls-auth-clients', 'no')));

    it('is used with one', async () => {
      const { cert: certFile, key: keyFile } = certificates.client;
      await begin({ url: url(), password: PASSWORD, tls: { ...tls(), certFile, keyFile } });
    });

    it('is refused without one', async () => {
      await expect(begin({ url: url(), password: PASSWORD, tls: tls() })).rejects.toThrow(
        /requires a client certificate: set REDIS_TLS_CERT_FILE and REDIS_TLS_KEY_FILE/,
      );
    });

    it('is refused with the key of another certificate', async () => {
      const files = { certFile: certificates.client.cert, keyFile: certificates.server.key };
      await expect(begin({ url: url(), tls: { ...tls(), ...files } })).rejects.toThrow(
        /REDIS_TLS_KEY_FILE: not the key of the certificate in REDIS_TLS_CERT_FILE/,
      );
    });
  });
});

describeWithRedis('a Redis Cluster with TLS and a password', () => {
  let cluster: SecureCluster;
  beforeAll(async () => {
    cluster = await startSecureCluster(certificates);
  });
  afterAll(() => cluster?.stop());

  it('is used with a password, or as an ACL user named in the addresses', async () => {
    await begin({ cluster: cluster.addresses, password: PASSWORD, tls: tls() });
    const nodes = cluster.addresses.split(',').map((node) => `rediss://${USER}:${quoted(USER_PASSWORD)}@${node}`);
    await begin({ cluster: nodes.join(','), tls: tls() });
  });

  const wrong: [string, () => Partial<RedisAddress>, RegExp][] = [
    [
      'a wrong password',
      () => ({ password: 'wrong', tls: tls() }),
      /WRONGPASS .*; check REDIS_USERNAME and REDIS_PASS/,
    ],
    ['no password', () => ({ tls: tls() }), /NOAUTH .*set REDIS_PASSWORD/],
    [
      'a CA that did not sign its certificates',
      () => ({ password: PASSWORD, tls: { ...tls(), caFile: certificates.otherCa } }),
      /localhost:\d+: its certificate is signed by no CA that is trusted here: set REDIS_TLS_CA_FILE/,
    ],
    [
      'another host name',
      () => ({ password: PASSWORD, tls: { ...tls(), serverName: 'elsewhere.test' } }),
      /certificate is for another name: .* set REDIS_TLS_SERVER_NAME/,
    ],
    ['no TLS', () => ({ password: PASSWORD }), /it expects TLS: use rediss:\/\//],
  ];

  it.each(wrong)('is refused with %s: the error says what to do', async (_, address, message) => {
    const error = await begin({ cluster: cluster.addresses, ...address() } as RedisAddress).catch((reason) => reason);
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^Redis cannot be reached: /);
  });
});
