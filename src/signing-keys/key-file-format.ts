/** The text of a key file: `{"keys": [private JWK with createdAt and signsFrom, …]}`. Messages never quote it. */
import { type KeyAlgorithm, keyAlgorithms, MOST_KEYS, type TokenKey, type TokenKeys } from './key-rules.ts';

const MEMBERS = { EdDSA: { kty: 'OKP', crv: 'Ed25519' }, ES256: { kty: 'EC', crv: 'P-256' } } as const;
const PARTS = { EdDSA: ['x', 'd'], ES256: ['x', 'y', 'd'] } as const;
const KEY_ID = /^[A-Za-z0-9_-]{1,64}$/;
const BASE64URL = /^[A-Za-z0-9_-]{1,100}$/;

export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

export function formatKeys({ keys, secretsUntil }: TokenKeys): string {
  const file = {
    keys: keys.map(({ jwk, createdAt, signsFrom }) => ({
      ...jwk,
      use: 'sig',
      createdAt: new Date(createdAt).toISOString(),
      signsFrom: new Date(signsFrom).toISOString(),
    })),
    ...(secretsUntil === undefined ? {} : { secretsUntil: new Date(secretsUntil).toISOString() }),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Throws a KeyFileError that says what is wrong, without `from`. */
export function parseKeys(text: string): TokenKeys {
  const { keys, secretsUntil } = toObject(text);
  if (!Array.isArray(keys) || keys.length === 0) throw new KeyFileError('expected {"keys": […]} with at least one key');
  if (keys.length > MOST_KEYS) throw new KeyFileError(`has ${keys.length} keys; at most ${MOST_KEYS} are allowed`);
  const read = keys.map((key, index) => toKey(key, `keys[${index}]`));
  if (new Set(read.map(({ jwk }) => jwk.kid)).size < read.length) throw new KeyFileError('two keys have the same kid');
  return {
    keys: read,
    ...(secretsUntil === undefined ? {} : { secretsUntil: toTime(secretsUntil, 'secretsUntil') }),
  };
}

function toObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The parser's message quotes the text, which has private keys.
  }
  throw new KeyFileError('is not a JSON object');
}

function toKey(value: unknown, where: string): TokenKey {
  if (typeof value !== 'object' || value === null) throw new KeyFileError(`${where} is not an object`);
  const given = value as Record<string, unknown>;
  const { kid, alg } = given;
  if (typeof kid !== 'string' || !KEY_ID.test(kid)) throw new KeyFileError(`${where}.kid is not a key id`);
  if (!isKeyAlgorithm(alg)) throw new KeyFileError(`${where}.alg is not ${keyAlgorithms.join(' or ')}`);
  const { kty, crv } = MEMBERS[alg];
  if (given.kty !== kty || given.crv !== crv) throw new KeyFileError(`${where} is not a key pair for ${alg}`);
  const parts = PARTS[alg].map((name) => {
    const part = given[name];
    if (typeof part !== 'string' || !BASE64URL.test(part)) throw new KeyFileError(`${where}.${name} is missing`);
    return [name, part] as const;
  });
  return {
    jwk: { kty, crv, ...Object.fromEntries(parts), kid, alg },
    createdAt: toTime(given.createdAt, `${where}.createdAt`),
    signsFrom: toTime(given.signsFrom, `${where}.signsFrom`),
  };
}

function toTime(value: unknown, where: string): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new KeyFileError(`${where} is not a time such as 2027-03-01T09:00:00.000Z`);
  return time;
}

export function isKeyAlgorithm(name: unknown): name is KeyAlgorithm {
  return (keyAlgorithms as readonly unknown[]).includes(name);
}
