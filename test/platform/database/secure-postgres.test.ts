/** Connections to PostgreSQL with TLS and passwords, and what is said about wrong ones. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHopeless } from '../../../src/platform/database/database-errors.ts';
import { connectPostgres } from '../../../src/platform/database/postgres.ts';
import type { DatabaseServer, DatabaseTlsMode } from '../../../src/platform/database/postgres-options.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { ask, describeWithPostgres, type PostgresServer, startPostgres } from '../../support/postgres-server.ts';

const PASSWORD = 'a pass/word:with@signs';
/** `secure` only with TLS, `open` also without, `certified` only with a client certificate. */
const HBA = `host all fairline 127.0.0.1/32 trust
hostssl all secure 127.0.0.1/32 scram-sha-256
host all open 127.0.0.1/32 scram-sha-256
hostssl all certified 127.0.0.1/32 cert map=common
`;

let certificates: Certificates;

/** The server reads its key only if it owns it. */
function ownedByServer(from: string, name: string): string {
  const path = join(certificates.folder, name);
  copyFileSync(from, path);
  execFileSync('chmod', ['600', path]);
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', path]);
  return path;
}

describeWithPostgres('a PostgreSQL server with TLS', () => {
  let server: PostgresServer;
  let plain: PostgresServer;
  beforeAll(async () => {
    certificates = makeCertificates();
    const file = (name: string, text: string) => {
      writeFileSync(join(certificates.folder, name), text);
      return join(certificates.folder, name);
    };
    [server, plain] = await Promise.all([
      startPostgres([
        'ssl=on',
        `ssl_cert_file=${certificates.server.cert}`,
        `ssl_key_file=${ownedByServer(certificates.server.key, 'postgres.key')}`,
        `ssl_ca_file=${certificates.ca}`,
        `hba_file=${file('hba', HBA)}`,
        `ident_file=${file('ident', 'common fairline certified\n')}`,
        'fsync=off',
      ]),
      startPostgres(),
    ]);
    for (const user of ['secure', 'open', 'certified']) {
      await ask(server.url, `create role ${user} login password '${PASSWORD}'`);
    }
  });
  afterAll(async () => {
    await Promise.all([server?.stop(), plain?.stop()]);
    rmSync(certificates.folder, { recursive: true });
  });

  const url = (user: string, host = 'localhost') =>
    server.url.replace('fairline@127.0.0.1', `${user}:${encodeURIComponent(PASSWORD)}@${host}`);
  const tls = (mode: DatabaseTlsMode, change: object = {}) => ({
    tls: { stem: 'DATABASE_TLS', mode, caFile: certificates.ca, ...change },
  });

  /** Resolves to whether the connection is encrypted. */
  async function isEncrypted(address: DatabaseServer): Promise<boolean> {
    const database = await connectPostgres(address, 1);
    const { rows } = await sql<{ ssl: boolean }>`
      select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(database);
    await database.destroy();
    return rows[0]!.ssl;
  }

  it.each(['require', 'verify-ca', 'verify-full'] as const)('is used with %s', async (mode) => {
    expect(await isEncrypted({ url: url('secure'), ...tls(mode) })).toBe(true);
    expect(await isEncrypted({ url: url('secure', '127.0.0.1'), ...tls(mode) })).toBe(true);
  });

  it('is used without TLS where it allows that', async () => {
    expect(await isEncrypted({ url: url('open'), ...tls('disable', { caFile: undefined }) })).toBe(false);
    expect(await isEncrypted({ url: `${url('open')}?sslmode=disable` })).toBe(false);
  });

  it('is used with the mode and the CA in the URL, and a password beside it', async () => {
    const { ca } = certificates;
    expect(await isEncrypted({ url: `${url('secure')}?sslmode=verify-full&sslrootcert=${ca}` })).toBe(true);
    expect(await isEncrypted({ url: `${url('secure')}?sslmode=require` })).toBe(true);
    const bare = server.url.replace('fairline@', 'secure@');
    expect(await isEncrypted({ url: bare, password: PASSWORD, ...tls('verify-full') })).toBe(true);
  });

  it('is not verified by require alone, and not by its name with verify-ca', async () => {
    expect(await isEncrypted({ url: url('secure'), ...tls('require', { caFile: undefined }) })).toBe(true);
    const change = { serverName: 'elsewhere.test' };
    expect(await isEncrypted({ url: url('secure'), ...tls('verify-ca', change) })).toBe(true);
  });

  it('is used with a client certificate', async () => {
    const { cert: certFile, key: keyFile } = certificates.client;
    const address = { url: url('certified'), ...tls('verify-full', { certFile, keyFile }) };
    expect(await isEncrypted(address)).toBe(true);
  });

  const wrong: [string, () => DatabaseServer, RegExp][] = [
    [
      'a wrong password',
      () => ({ url: url('secure').replace(/:[^:@/]*@/, ':wrong@'), ...tls('verify-full') }),
      /password authentication failed.*; check the user and password in DATABASE_URL, or DATABASE_PASSWORD/,
    ],
    [
      'no password',
      () => ({ url: server.url.replace('fairline@', 'secure@'), ...tls('verify-full') }),
      /requires a password: put it into DATABASE_URL, or set DATABASE_PASSWORD/,
    ],
    [
      'a database that does not exist',
      () => ({ url: url('secure').replace(/postgres$/, 'missing'), ...tls('verify-full') }),
      /"missing" does not exist; create the database/,
    ],
    [
      'a CA that did not sign its certificate',
      () => ({ url: url('secure'), ...tls('verify-ca', { caFile: certificates.otherCa }) }),
      /signed by no CA that is trusted here: set DATABASE_TLS_CA_FILE/,
    ],
    [
      'the CAs of the system',
      () => ({ url: url('secure'), ...tls('verify-full', { caFile: undefined }) }),
      /signed by no CA that is trusted here: set DATABASE_TLS_CA_FILE/,
    ],
    [
      'another host name',
      () => ({ url: url('secure'), ...tls('verify-full', { serverName: 'elsewhere.test' }) }),
      /certificate is for another name: .* set DATABASE_TLS_SERVER_NAME/,
    ],
    [
      'no TLS where it requires it',
      () => ({ url: url('secure'), ...tls('disable', { caFile: undefined }) }),
      /it expects TLS: set DATABASE_TLS=verify-full/,
    ],
    [
      'TLS where there is none',
      () => ({ url: plain.url, ...tls('require') }),
      /does not support SSL connections; it does not speak TLS: .* DATABASE_TLS=disable/,
    ],
    [
      'no client certificate where it requires one',
      () => ({ url: url('certified'), ...tls('verify-full') }),
      /requires a client certificate: set DATABASE_TLS_CERT_FILE and DATABASE_TLS_KEY_FILE/,
    ],
    [
      'a word that is no mode',
      () => ({ url: `${url('secure')}?sslmode=on` }),
      /DATABASE_URL: sslmode=on: expected disable/,
    ],
  ];

  describe('fails the start', () => {
    it.each(wrong)('with %s: the error says what to do', async (_, address, message) => {
      const error = await connectPostgres(address(), 1).then(
        () => new Error('connected'),
        (reason) => reason,
      );
      expect(error.message).toMatch(message);
      expect(error.message).not.toContain(PASSWORD);
      expect(isHopeless(error)).toBe(true);
    });
  });

  it('is waited for while it is away', async () => {
    const error = await connectPostgres({ url: 'postgres://a@localhost:1/a', ...tls('verify-full') }, 1).catch(
      (e) => e,
    );
    expect(isHopeless(error)).toBe(false);
  });
});
