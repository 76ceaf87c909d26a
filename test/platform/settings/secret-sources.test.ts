/** Secrets from a variable, from a file and as Base64. */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig, readGateConfig, settings } from '../../../src/config/read-config.ts';
import { createMac } from '../../../src/platform/crypto/hmac.ts';
import { secretBytes } from '../../../src/platform/crypto/secret-bytes.ts';
import { readSettings, type Setting } from '../../../src/platform/settings/settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SECRET = 'a-secret-of-more-than-32-characters';

function secretFile(content: string | Buffer): string {
  const path = join(tempFolder(), 'secret');
  writeFileSync(path, content);
  return path;
}

const read = (env: Record<string, string>) => readConfig(env).secrets;

describe('a secret in a file', () => {
  it.each(['', '\n', '\r\n'])('is read without the end of its line: %j', (end) => {
    expect(read({ AUTH_JWT_SECRET_FILE: secretFile(`${SECRET}${end}`) }).auth).toBe(SECRET);
  });

  it('keeps further spaces and lines', () => {
    expect(read({ AUTH_JWT_SECRET_FILE: secretFile(` ${SECRET}\n\n`) }).auth).toBe(` ${SECRET}\n`);
  });

  it('is possible for every secret setting', () => {
    const secretSettings = Object.entries(settings as Record<string, Setting<unknown>>).filter(([, s]) => s.secret);
    expect(secretSettings.length).toBeGreaterThan(15);
    for (const [name, setting] of secretSettings) {
      // A parser that takes anything shows that the text arrives, whatever the setting allows.
      const table = { [name]: { ...setting, parse: (text: string) => text } };
      expect(readSettings(table, { [`${name}_FILE`]: secretFile('from a file\n') })).toEqual({ [name]: 'from a file' });
    }
  });

  it('is Base64 if it says so', () => {
    const encoded = `base64:${Buffer.from(SECRET).toString('base64')}\n`;
    expect(read({ AUTH_JWT_SECRET_FILE: secretFile(encoded) }).auth).toBe(SECRET);
  });

  it('is not for settings that are no secrets', () => {
    expect(readConfig({ HOST_FILE: secretFile('127.0.0.9') }).host).toBe(readConfig({}).host);
  });

  it('is refused together with the variable', () => {
    expect(() => read({ AUTH_JWT_SECRET: SECRET, AUTH_JWT_SECRET_FILE: '/run/secret' })).toThrow(
      'AUTH_JWT_SECRET and AUTH_JWT_SECRET_FILE are both set: set only one',
    );
    expect(read({ AUTH_JWT_SECRET: '', AUTH_JWT_SECRET_FILE: secretFile(SECRET) }).auth).toBe(SECRET);
  });

  it('is named in errors, its content never is', () => {
    const folder = join(tempFolder(), 'folder');
    mkdirSync(folder);
    const cases: [string, RegExp][] = [
      ['/nowhere/secret', /AUTH_JWT_SECRET_FILE=\/nowhere\/secret: no such file/],
      [folder, /AUTH_JWT_SECRET_FILE=.*folder: not a file/],
      ['/dev/zero', /AUTH_JWT_SECRET_FILE=\/dev\/zero: not a file/],
      [secretFile(''), /the file is empty/],
      [secretFile(Buffer.alloc(100_000, 'x')), /over 65536 bytes/],
      [secretFile('base64:???'), /AUTH_JWT_SECRET_FILE=\(not shown\): expected Base64 after base64:/],
      [secretFile('hunter2'), /AUTH_JWT_SECRET=\(not shown\): expected at least 32 characters/],
    ];
    for (const [path, message] of cases) expect(() => read({ AUTH_JWT_SECRET_FILE: path })).toThrow(message);
  });

  it('does not show a secret that was taken for a path', () => {
    expect(() => read({ AUTH_JWT_SECRET_FILE: SECRET })).toThrow(
      'AUTH_JWT_SECRET_FILE=(not shown, it may be the secret itself): no such file',
    );
  });

  it('wins for a gate over the secrets that the line keeps, and loses against the command line', () => {
    const env = { AUTH_JWT_SECRET_FILE: secretFile(SECRET) };
    const kept = { AUTH_JWT_SECRET: 'k'.repeat(32) };
    expect(readGateConfig({}, env, kept).secrets.auth).toBe(SECRET);
    expect(readGateConfig({ AUTH_JWT_SECRET: 'f'.repeat(32) }, env, kept).secrets.auth).toBe('f'.repeat(32));
  });
});

describe('a secret in Base64', () => {
  const readAuth = (value: string) =>
    readSettings({ AUTH_JWT_SECRET: settings.AUTH_JWT_SECRET }, { AUTH_JWT_SECRET: value }).AUTH_JWT_SECRET!;
  const encodings = [
    (bytes: Buffer) => bytes.toString('base64'),
    (bytes: Buffer) => bytes.toString('base64url'),
    (bytes: Buffer) => bytes.toString('base64').replaceAll('=', ''),
  ];

  it('signs with exactly the bytes that were encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 80 }), fc.constantFrom(...encodings), (array, encode) => {
        const bytes = Buffer.from(array);
        const auth = readAuth(`base64:${encode(bytes)}`);
        expect(secretBytes(auth)).toEqual(bytes);
        expect(createMac(auth, 4)('text')).toBe(createHmac('sha256', bytes).update('text').digest('base64url'));
      }),
    );
  });

  it('is the same secret as its text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 32, unit: 'binary' }), (text) => {
        fc.pre(!text.startsWith('base64:') && Buffer.from(text).toString() === text);
        expect(readAuth(`base64:${Buffer.from(text).toString('base64')}`)).toBe(text);
      }),
    );
  });

  it('works for a URL with a password', () => {
    const url = 'postgres://user:password@database.example/fairline';
    const encoded = `base64:${Buffer.from(url).toString('base64')}`;
    expect(readConfig({ DATABASE_URL: encoded }).shop?.database).toMatchObject({ url });
  });

  it('counts the bytes, not their encoding', () => {
    const short = randomBytes(31);
    short[0] = 0xff;
    expect(() => read({ AUTH_JWT_SECRET: `base64:${short.toString('base64')}` })).toThrow('at least 32 characters');
  });

  it('is refused if it is not Base64, or not text where text is needed', () => {
    expect(() => read({ AUTH_JWT_SECRET: `base64:${SECRET}!` })).toThrow('expected Base64 after base64:');
    expect(() => read({ ADMIN_TOKEN: `base64:${Buffer.alloc(32, 0xff).toString('base64')}` })).toThrow(
      'ADMIN_TOKEN=(not shown): expected Base64 of text after base64:',
    );
  });
});
