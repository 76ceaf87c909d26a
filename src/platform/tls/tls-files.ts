/**
 * TLS options of a connection to a store, from the files that its settings name. `stem` is what those settings begin with:
 * REDIS_TLS, DATABASE_TLS, KAFKA_TLS.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { SettingsError } from '../settings/settings.ts';
import type { TlsFiles } from './tls-config.ts';

export interface TlsOptions {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
}

/** Throws SettingsError if a file cannot be used. */
export function readTlsFiles({ stem, caFile, certFile, keyFile, serverName }: TlsFiles): TlsOptions {
  const ca = caFile === undefined ? undefined : readCertificates(`${stem}_CA_FILE`, caFile);
  const cert = certFile === undefined ? undefined : readCertificates(`${stem}_CERT_FILE`, certFile);
  const key = keyFile === undefined ? undefined : read(`${stem}_KEY_FILE`, keyFile);
  if (cert !== undefined && key !== undefined) requirePair(stem, cert, key);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}

/** Settings that only make sense together. `how`: what turns TLS on. */
export function findTlsProblems(files: TlsFiles, isOn: boolean, how: string): string[] {
  const { stem, caFile, certFile, keyFile, serverName } = files;
  const set = Object.entries({ CA_FILE: caFile, CERT_FILE: certFile, KEY_FILE: keyFile, SERVER_NAME: serverName })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => `${stem}_${name}`);
  if (set.length > 0 && !isOn) return [`${set.join(', ')}: requires ${how}`];
  if ((certFile === undefined) === (keyFile === undefined)) return [];
  return [`${stem}_CERT_FILE and ${stem}_KEY_FILE: set both, or neither`];
}

function readCertificates(setting: string, path: string): string {
  const text = read(setting, path);
  try {
    new X509Certificate(text);
  } catch {
    throw new SettingsError(`${setting}=${path}: no certificate in it; expected PEM (-----BEGIN CERTIFICATE-----)`);
  }
  return text;
}

function read(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `${setting}=${path}: cannot be read (${code}); expected a PEM file that this user can read`,
    );
  }
}

function requirePair(stem: string, cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new SettingsError(
      `${stem}_KEY_FILE: not the key of the certificate in ${stem}_CERT_FILE; expected its private key in PEM, without a passphrase`,
    );
  }
}
