/** Settings of the connection to PostgreSQL, besides DATABASE_URL. */
import { type DatabaseServer, databaseTlsModes } from '../platform/database/postgres-options.ts';
import { filePath, oneOf, secret, text, type Values } from '../platform/settings/settings.ts';
import type { TlsFiles } from '../platform/tls/tls-config.ts';
import { findTlsProblems } from '../platform/tls/tls-files.ts';

export const databaseSettings = {
  DATABASE_PASSWORD: secret({ minLength: 1, about: 'Password of the user in DATABASE_URL, unless it is there.' }),
  DATABASE_TLS: oneOf({
    default: 'url',
    values: ['url', ...databaseTlsModes],
    about:
      'TLS to PostgreSQL, with the meaning of libpq’s sslmode: `disable`; `require` encrypts without verifying the server; ' +
      '`verify-ca` verifies its certificate; `verify-full` also its host name. `url`: as sslmode in DATABASE_URL says, else ' +
      'without TLS.',
  }),
  DATABASE_TLS_CA_FILE: filePath('CA certificates (PEM) to verify PostgreSQL with, instead of the system’s.'),
  DATABASE_TLS_CERT_FILE: filePath('Client certificate (PEM), if PostgreSQL asks for one.'),
  DATABASE_TLS_KEY_FILE: filePath('Private key (PEM) of DATABASE_TLS_CERT_FILE.'),
  DATABASE_TLS_SERVER_NAME: text({
    default: undefined,
    defaultText: 'the host in DATABASE_URL',
    pattern: /^[\w.*-]+$/,
    allowed: 'a host name',
    about: 'Name that the certificate of the server must contain, with `verify-full`.',
  }),
};

type DatabaseValues = Values<typeof databaseSettings>;

export function toDatabaseServer(url: string, values: DatabaseValues): DatabaseServer {
  const { DATABASE_PASSWORD: password, DATABASE_TLS: mode } = values;
  const { stem, ...files } = toTlsFiles(values);
  const isSet = mode !== 'url' || Object.values(files).some((value) => value !== undefined);
  return {
    url,
    ...(password === undefined ? {} : { password }),
    ...(isSet ? { tls: { stem, ...files, mode: mode === 'url' ? undefined : mode } } : {}),
  };
}

export function findDatabaseProblems(values: DatabaseValues & { DATABASE_URL: string | undefined }): string[] {
  const { DATABASE_URL: url, DATABASE_TLS: mode, DATABASE_PASSWORD: password } = values;
  const parsed = url === undefined ? undefined : new URL(url);
  const isOn = mode === 'url' ? /[?&]ssl(?:mode)?=/.test(parsed?.search ?? '') : mode !== 'disable';
  const isPasswordTwice = password !== undefined && parsed !== undefined && parsed.password !== '';
  return [
    ...(isPasswordTwice ? ['DATABASE_PASSWORD and a password in DATABASE_URL are both set: set only one'] : []),
    ...findTlsProblems(toTlsFiles(values), isOn, 'DATABASE_TLS=verify-full (or require, or verify-ca)'),
  ];
}

function toTlsFiles(values: DatabaseValues): TlsFiles {
  return {
    stem: 'DATABASE_TLS',
    caFile: values.DATABASE_TLS_CA_FILE,
    certFile: values.DATABASE_TLS_CERT_FILE,
    keyFile: values.DATABASE_TLS_KEY_FILE,
    serverName: values.DATABASE_TLS_SERVER_NAME,
  };
}
