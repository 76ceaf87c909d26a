/**
 * Connection options of PostgreSQL: the only place that knows them. TLS has the modes of libpq, which psql and most other
 * programs use. The driver reads `sslmode` in its own way (`require` is its `verify-full`), so it never sees it.
 */
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import type { PoolConfig } from 'pg';
import { SettingsError } from '../settings/settings.ts';
import type { TlsFiles } from '../tls/tls-config.ts';
import { readTlsFiles } from '../tls/tls-files.ts';

export const databaseTlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type DatabaseTlsMode = (typeof databaseTlsModes)[number];

export interface DatabaseServer {
  /** postgres://…, as in DATABASE_URL. */
  url: string;
  /** Unless it is in the URL. */
  password?: string;
  /** undefined: as the URL says. */
  tls?: TlsFiles & { mode: DatabaseTlsMode | undefined };
}

const STEM = 'DATABASE_TLS';
/** What others say in a URL; the driver's own words, too. */
const MODES_IN_URLS: Record<string, DatabaseTlsMode> = {
  disable: 'disable',
  allow: 'require',
  prefer: 'require',
  require: 'require',
  'no-verify': 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
  true: 'verify-full',
  1: 'verify-full',
  false: 'disable',
  0: 'disable',
};
const IN_URL = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'] as const;

export function toPoolOptions({ url: text, password, tls }: DatabaseServer): PoolConfig {
  const url = new URL(text);
  const inUrl = readUrl(url);
  for (const name of IN_URL) url.searchParams.delete(name);
  // Into the URL: the driver prefers the empty password of a URL without one.
  if (password !== undefined) url.password = encodeURIComponent(password);
  const mode = tls?.mode ?? inUrl.mode;
  const files = { ...inUrl.files, ...definedOf(tls ?? {}) };
  return {
    connectionString: url.href,
    ...(mode === undefined ? {} : { ssl: toTls(mode, { ...files, stem: STEM }, hostOf(url)) }),
  };
}

/** Whether the connection is encrypted to a server that anybody could pretend to be. */
export function isUnverified({ url, tls }: DatabaseServer): boolean {
  const { mode, files } = readUrl(new URL(url));
  return (tls?.mode ?? mode) === 'require' && (tls?.caFile ?? files.caFile) === undefined;
}

function readUrl({ searchParams }: URL): { mode: DatabaseTlsMode | undefined; files: Partial<TlsFiles> } {
  const word = searchParams.get('sslmode') ?? searchParams.get('ssl');
  const mode = word === null ? undefined : MODES_IN_URLS[word];
  if (word !== null && mode === undefined) {
    throw new SettingsError(`DATABASE_URL: sslmode=${word}: expected ${databaseTlsModes.join(', ')}`);
  }
  const files = {
    caFile: searchParams.get('sslrootcert') ?? undefined,
    certFile: searchParams.get('sslcert') ?? undefined,
    keyFile: searchParams.get('sslkey') ?? undefined,
  };
  // libpq's word for the CAs of the system, which are the default here.
  return { mode, files: files.caFile === 'system' ? { ...files, caFile: undefined } : files };
}

/** The driver may be given an address in the query, too: `?host=/var/run/postgresql`. */
function hostOf(url: URL): string {
  return url.searchParams.get('host') ?? url.hostname.replace(/^\[|\]$/g, '');
}

function toTls(mode: DatabaseTlsMode, files: TlsFiles, host: string): ConnectionOptions | false {
  if (mode === 'disable') return false;
  const { servername, ...options } = readTlsFiles(files);
  // As with libpq, a CA that is given is used, also by `require`.
  if (mode === 'require' && options.ca === undefined) return { ...options, rejectUnauthorized: false };
  // The driver tells TLS no host for an IP address, and the name `localhost` would be verified.
  const verifyName: typeof checkServerIdentity = (_, certificate) =>
    checkServerIdentity(servername ?? host, certificate);
  return {
    ...options,
    rejectUnauthorized: true,
    checkServerIdentity: mode === 'verify-full' ? verifyName : () => undefined,
  };
}

function definedOf(files: Partial<TlsFiles>): Partial<TlsFiles> {
  return Object.fromEntries(Object.entries(files).filter(([, value]) => value !== undefined));
}
