/** How the keys of an identity provider are found, and kept for a restart while it is away. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIssuerSource, type IssuerSourceOptions } from '../../../src/identity/issuer/issuer-source.ts';
import { createKeptKeys } from '../../../src/identity/issuer/kept-keys.ts';
import type { Algorithm } from '../../../src/platform/jwt/algorithms.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const jwk = (kid: string) => ({ ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid });
const algorithms: Algorithm[] = ['RS256', 'EdDSA'];

/** Answers by path; undefined: the connection is closed without a response. */
let answers: Record<string, unknown> = {};
let asked: string[] = [];
let url = '';
const server = createServer((request, response) => {
  asked.push(request.url!);
  const answer = answers[request.url!];
  if (answer === undefined) return void request.socket.destroy();
  if (typeof answer === 'number') return void response.writeHead(answer, { location: `${url}/keys` }).end();
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const DOCUMENT = '/realm/.well-known/openid-configuration';
const document = (changes: object = {}) => ({ issuer: `${url}/realm`, jwks_uri: `${url}/keys`, ...changes });

function createSource(options: Partial<IssuerSourceOptions> = {}) {
  asked = [];
  const issuer = `${url}/realm`;
  return createIssuerSource({ issuer, jwks: undefined, algorithms, now: () => performance.now(), ...options });
}
const idsOf = async (source: ReturnType<typeof createSource>) => (await source()).map(({ id }) => id);

describe('the keys of an issuer', () => {
  it('are found by its document, which is not read again for each read of the keys', async () => {
    answers = { [DOCUMENT]: document(), '/keys': { keys: [jwk('a')] } };
    const source = createSource();
    expect(await idsOf(source)).toEqual(['a']);
    expect(await idsOf(source)).toEqual(['a']);
    expect(asked).toEqual([DOCUMENT, '/keys', '/keys']);
  });

  it('are found again where the document says after they have moved', async () => {
    answers = { [DOCUMENT]: document(), '/keys': { keys: [jwk('a')] } };
    const source = createSource();
    await source();
    answers = { [DOCUMENT]: document({ jwks_uri: `${url}/moved` }), '/keys': 404, '/moved': { keys: [jwk('b')] } };
    await expect(source()).rejects.toThrow('/keys: answered 404');
    expect(await idsOf(source)).toEqual(['b']);
  });

  it('are found for an issuer whose name ends with a slash', async () => {
    answers = { [DOCUMENT]: document({ issuer: `${url}/realm/` }), '/keys': { keys: [jwk('a')] } };
    expect(await idsOf(createSource())).toEqual(['a']);
    expect(await idsOf(createSource({ issuer: `${url}/realm/` }))).toEqual(['a']);
  });

  it.each([
    [
      'a document of another issuer',
      () => ({ [DOCUMENT]: document({ issuer: 'https://evil.example' }) }),
      'names the issuer "https://evil.example"',
    ],
    ['a document without an issuer', () => ({ [DOCUMENT]: { jwks_uri: `${url}/keys` } }), 'names the issuer null'],
    ['a document without keys', () => ({ [DOCUMENT]: document({ jwks_uri: undefined }) }), 'names no jwks_uri'],
    [
      'keys in a file of this machine',
      () => ({ [DOCUMENT]: document({ jwks_uri: 'file:///etc/passwd' }) }),
      'names no jwks_uri',
    ],
    ['a document that is a page', () => ({ [DOCUMENT]: '<html>' }), 'is not an OpenID provider’s document'],
    ['a redirect', () => ({ [DOCUMENT]: 302 }), 'unexpected redirect'],
    ['no document', () => ({ [DOCUMENT]: 404 }), 'answered 404'],
    ['a huge document', () => ({ [DOCUMENT]: document({ more: 'x'.repeat(300_000) }) }), 'longer than 262144 bytes'],
    [
      'a huge key set',
      () => ({ [DOCUMENT]: document(), '/keys': { keys: [jwk('a')], more: 'x'.repeat(300_000) } }),
      'longer than 262144 bytes',
    ],
    ['no keys', () => ({ [DOCUMENT]: document(), '/keys': { keys: [] } }), 'has no key for RS256, EdDSA'],
    [
      'symmetric keys only',
      () => ({ [DOCUMENT]: document(), '/keys': { keys: [{ kty: 'oct', k: 'AAAA' }] } }),
      'has no key for',
    ],
    ['no answer', () => ({}), '/openid-configuration: '],
  ])('are refused: %s', async (_name, toAnswers, reason) => {
    answers = toAnswers();
    await expect(createSource()()).rejects.toThrow(reason);
  });

  it('are at most 100', async () => {
    answers = { '/keys': { keys: Array.from({ length: 150 }, (_, at) => jwk(`k${at}`)) } };
    expect(await createSource({ jwks: `${url}/keys` })()).toHaveLength(100);
    expect(asked).toEqual(['/keys']);
  });

  it('come from a file too, without those of algorithms that are not accepted', async () => {
    const path = join(tempFolder(), 'keys.json');
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    writeFileSync(path, JSON.stringify({ keys: [jwk('a'), { ...ec, kid: 'ec' }] }));
    expect(await idsOf(createSource({ jwks: path }))).toEqual(['a']);
    await expect(createSource({ jwks: '/no/such/file' })()).rejects.toThrow('ENOENT');
  });
});

describe('while the issuer is away', () => {
  const keep = (dir: string, { now = 0, source = 's' } = {}) => createKeptKeys({ dir, source, now: () => now });

  it('a restart uses the keys of the last read, for a day and for the same issuer only', async () => {
    const dir = tempFolder();
    answers = { '/keys': { keys: [jwk('a')] } };
    const jwks = `${url}/keys`;
    await createSource({ jwks, kept: keep(dir) })();
    answers = {};
    let used = '';
    const onKeptUsed = (error: Error) => (used = error.message);
    expect(await idsOf(createSource({ jwks, kept: keep(dir, { now: 86_399_999 }), onKeptUsed }))).toEqual(['a']);
    expect(used).toContain('/keys: ');
    await expect(createSource({ jwks, kept: keep(dir, { now: 86_400_000 }) })()).rejects.toThrow('/keys: ');
    await expect(createSource({ jwks, kept: keep(dir, { source: 'other' }) })()).rejects.toThrow('/keys: ');
    expect(statSync(join(dir, 'user-keys.json')).mode & 0o777).toBe(0o600);
  });

  it('the copy is not used against a document that names another issuer', async () => {
    const dir = tempFolder();
    answers = { [DOCUMENT]: document(), '/keys': { keys: [jwk('a')] } };
    await createSource({ kept: keep(dir) })();
    answers = { [DOCUMENT]: document({ issuer: 'https://evil.example' }) };
    await expect(createSource({ kept: keep(dir) })()).rejects.toThrow('names the issuer');
  });

  it('a folder that cannot be written or a broken copy changes nothing', async () => {
    const dir = tempFolder();
    answers = { '/keys': { keys: [jwk('a')] } };
    const jwks = `${url}/keys`;
    expect(await idsOf(createSource({ jwks, kept: keep(join(dir, 'missing')) }))).toEqual(['a']);
    mkdirSync(join(dir, 'user-keys.json'));
    expect(await idsOf(createSource({ jwks, kept: keep(dir) }))).toEqual(['a']);
    answers = {};
    await expect(createSource({ jwks, kept: keep(dir) })()).rejects.toThrow('/keys: ');
  });
});
