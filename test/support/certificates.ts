/** Certificates for servers with TLS, made by openssl: one CA per suite, and a foreign one that signed nothing of it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificates {
  /** Readable by the users of all servers. */
  folder: string;
  ca: string;
  /** Of a CA that signed nothing. */
  otherCa: string;
  /** For localhost and 127.0.0.1. */
  server: { cert: string; key: string };
  /** For the name `elsewhere.test` only. */
  elsewhere: { cert: string; key: string };
  /** For a client, with the common name `fairline`. */
  client: { cert: string; key: string };
}

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'fairline-tls-'));
  chmodSync(folder, 0o755);
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const makeCa = (name: string) =>
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
    );
  const make = (name: string, subject: string, alternatives: string) => {
    openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${subject}`);
    writeFileSync(path(`${name}.ext`), `subjectAltName=${alternatives}\n`);
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', `${name}.ext`];
    openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...signing);
    chmodSync(path(`${name}.key`), 0o644);
    return { cert: path(`${name}.pem`), key: path(`${name}.key`) };
  };
  makeCa('ca');
  makeCa('other-ca');
  return {
    folder,
    ca: path('ca.pem'),
    otherCa: path('other-ca.pem'),
    server: make('server', 'localhost', 'DNS:localhost,IP:127.0.0.1'),
    elsewhere: make('elsewhere', 'elsewhere.test', 'DNS:elsewhere.test'),
    client: make('client', 'fairline', 'DNS:fairline'),
  };
}
