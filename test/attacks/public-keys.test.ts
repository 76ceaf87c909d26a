/** A gate that has public keys only: with everything that it knows, nobody can forge a token. */
import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createKeyRing } from '../../src/signing-keys/key-ring.ts';
import { createServiceKeys } from '../../src/signing-keys/service-keys.ts';
import { tokenKinds } from '../../src/signing-keys/token-kinds.ts';
import { ask, runGate } from '../gate/proxy/run-gate.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const SEATS = '/api/seats/events/concert';
const SERVICE_KEY = 'service-key-of-the-tests-0123456789abcdef';
const noSecrets = Object.fromEntries(Object.keys(secrets).map((name) => [name, '']));

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url');

async function createWorld() {
  const dataDir = tempFolder();
  const { ADMIN_TOKEN, AUTH_JWT_SECRET } = secrets;
  const line = await runApp({ env: { ADMIN_TOKEN, AUTH_JWT_SECRET, SERVICE_KEY }, room: { maxActive: 5 }, dataDir });
  const site = await startSite();
  const known = { ...noSecrets, SERVICE_KEY, GATE_UPSTREAM: site.url, GATE_LINE_URL: line.url };
  const gate = await runGate(known);
  // A guest who waits and is admitted, through the gate.
  const joined = await ask(gate.url, '/api/queue/check/concert', { method: 'POST' });
  const jar = (joined.headers['set-cookie'] ?? []).map((text) => text.split(';')[0]!);
  const guest = jar.find((text) => text.startsWith('fairline-guest='))!.split('=')[1]!;
  const entry = await until('the guest to be inside', async () => {
    const { json } = await ask(gate.url, '/api/queue/status/concert', { headers: { cookie: jar.join('; ') } });
    return json.entryToken as string | undefined;
  });
  const present = async (token: string, cookie = `fairline-guest=${guest}`) => {
    const headers = { cookie, 'x-queue-entry-token': token };
    return (await ask(gate.url, SEATS, { headers })).status;
  };
  return { line, site, gate, guest, entry, present, dataDir };
}

it('protects a site, and no token can be forged with what it knows', async () => {
  const { line, site, guest, entry, present } = await createWorld();
  expect(decode(entry.split('.')[0]!)).toMatchObject({ alg: 'EdDSA', typ: 'entry+jwt' });
  expect(await present(entry)).toBe(200);
  expect(
    (await ask((await runGate({ ...noSecrets, GATE_UPSTREAM: site.url, GATE_LINE_URL: line.url })).url, SEATS)).status,
  ).toBe(403);

  const text = await (await fetch(`${line.url}/.well-known/jwks.json`)).text();
  const [jwk] = JSON.parse(text).keys as [JsonWebKey & { kid: string }];
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const [header, claims, signature] = entry.split('.') as [string, string, string];
  const genuine = decode(claims);
  const forged = { ...genuine, jti: 'forged', exp: genuine.exp + 3_600 };
  const { kid } = jwk;
  const own = generateKeyPairSync('ed25519');
  const ownJwk = own.publicKey.export({ format: 'jwk' });
  const asHmac = (key: string | Buffer, more: object = {}) => {
    const signed = `${encode({ alg: 'HS256', typ: 'entry+jwt', kid, ...more })}.${encode(forged)}`;
    return `${signed}.${hmac(key, signed)}`;
  };
  const bySelf = (more: object) => {
    const signed = `${encode({ alg: 'EdDSA', typ: 'entry+jwt', kid, ...more })}.${encode(forged)}`;
    return `${signed}.${hmac('x', signed)}`;
  };
  const keysOfTheGate = [
    text,
    jwk.x!,
    Buffer.from(jwk.x!, 'base64url'),
    publicKey.export({ format: 'der', type: 'spki' }),
    publicKey.export({ format: 'pem', type: 'spki' }) as string,
    SERVICE_KEY,
    ...createServiceKeys(SERVICE_KEY, [SERVICE_KEY]),
    ...createKeyRing('failOpenPass', [SERVICE_KEY]),
    ...Object.values(tokenKinds).flatMap((kind) => ('label' in kind ? [hmac(SERVICE_KEY, kind.label)] : [])),
    '',
  ];
  const forgeries = [
    ...keysOfTheGate.flatMap((key) => [asHmac(key), asHmac(key, { kid: undefined })]),
    `${encode({ alg: 'none', typ: 'entry+jwt', kid })}.${encode(forged)}.`,
    `${encode({ alg: 'none', typ: 'entry+jwt', kid })}.${encode(forged)}.AAAA`,
    `${header}.${encode(forged)}.${signature}`,
    bySelf({ jwk: ownJwk }),
    bySelf({ jku: 'http://127.0.0.1/keys' }),
    bySelf({ kid: 'unknown' }),
    // The signature of another kind: the same key signs vwr tokens and staff passes.
    line.context.vwrTokens.issue({ eventId: 'concert', device: genuine.uid, position: 1, tokenId: 'place.1' }),
    // The guest's own cookie, and a cookie as a guest could write it.
    guest,
  ];
  for (const forgery of forgeries) expect([forgery, await present(forgery)]).toEqual([forgery, 403]);

  // The gate knows the guest's id from the token, and can write guest cookies that it accepts itself, but not this one's.
  const otherKey = Buffer.alloc(16, 7).toString('base64url');
  const { sub, iat, exp } = decode(guest.split('.')[1]!);
  for (const stolen of [
    { sub, iat, exp },
    { sub, iat, exp, key: otherKey },
  ]) {
    const signed = `${encode({ alg: 'HS256', typ: 'guest+jwt', kid: 'any' })}.${encode(stolen)}`;
    expect(await present(entry, `fairline-guest=${signed}.${hmac(SERVICE_KEY, signed)}`)).toBe(403);
  }
  // A cookie of its own making is nobody at the line.
  const made = `${encode({ alg: 'HS256', typ: 'guest+jwt', kid: 'any' })}.${encode({ sub: 'guest:made', key: otherKey, iat, exp })}`;
  const join = await fetch(`${line.url}/api/queue/check/concert`, {
    method: 'POST',
    headers: { cookie: `fairline-guest=${made}.${hmac(SERVICE_KEY, made)}` },
  });
  expect(await join.text()).not.toContain('guest:made');
  expect(site.asked.length).toBe(1);
});

it('finds no private key in what the line publishes, logs or keeps beside its secrets', async () => {
  const { line, dataDir } = await createWorld();
  const file = JSON.parse(readFileSync(join(dataDir, 'token-keys.json'), 'utf8'));
  const { d } = file.keys[0];
  for (const path of ['/.well-known/jwks.json', '/metrics', '/openapi.json']) {
    expect(await (await fetch(`${line.url}${path}`)).text()).not.toContain(d);
  }
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(d);
});
