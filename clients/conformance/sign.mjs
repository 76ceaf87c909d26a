/**
 * Signs the tokens of the vectors with fixed keys. ECDSA takes its nonce from the key and the message, as RFC 6979 does, so
 * that the same input always gives the same file. Never sign anything else with these keys: they are public.
 */
import { createECDH, createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const ED25519_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key from a name: its `kid`, its public JWK, and a function that signs a text. */
export function createEdKey(kid) {
  const der = Buffer.concat([ED25519_PKCS8, sha256(`fairline vectors ed25519 ${kid}`)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
  return { kid, alg: 'EdDSA', jwk, sign: (text) => sign(null, Buffer.from(text), key) };
}

export function createEsKey(kid) {
  const d = toNumber(sha256(`fairline vectors p-256 ${kid}`)) % P256_ORDER;
  const point = multiplyBase(d);
  const jwk = { kty: 'EC', crv: 'P-256', x: encode(point.x), y: encode(point.y), kid, alg: 'ES256', use: 'sig' };
  return { kid, alg: 'ES256', jwk, sign: (text) => signEcdsa(d, text) };
}

/** The kid of a secret is derived from it, so that both sides know it. */
export function createSecretKey(secret) {
  const kid = sha256(`fairline key id:${secret}`).toString('base64url').slice(0, 8);
  return { kid, alg: 'HS256', secret, sign: (text) => createHmac('sha256', secret).update(text).digest() };
}

function signEcdsa(d, text) {
  const z = toNumber(sha256(text));
  const k = toNumber(createHmac('sha256', toBytes(d)).update(text).digest()) % P256_ORDER;
  const r = toNumber(multiplyBase(k).x) % P256_ORDER;
  const s = (inverse(k, P256_ORDER) * (z + r * d)) % P256_ORDER;
  return Buffer.concat([toBytes(r), toBytes(s)]);
}

function multiplyBase(scalar) {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(toBytes(scalar));
  const point = ecdh.getPublicKey();
  return { x: point.subarray(1, 33), y: point.subarray(33) };
}

/** The same Ed25519 signature with S + L instead of S: a verifier that does not reduce S accepts both. */
export function toSecondSpelling(signature) {
  const s = toNumber(Buffer.from(signature.subarray(32)).reverse()) + ED25519_ORDER;
  return Buffer.concat([signature.subarray(0, 32), toBytes(s).reverse()]);
}

/** ECDSA in ASN.1, as most libraries sign unless told otherwise. */
export function toDer(signature) {
  const integer = (bytes) => {
    const trimmed = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
    const content = trimmed[0] >= 0x80 ? Buffer.concat([Buffer.of(0), trimmed]) : trimmed;
    return Buffer.concat([Buffer.of(2, content.length), content]);
  };
  const content = Buffer.concat([integer(signature.subarray(0, 32)), integer(signature.subarray(32))]);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
}

export const p256Order = toBytes(P256_ORDER);

/** A JWS from texts or objects; `signature`: bytes that replace those of the key. */
export function toToken(header, claims, key, signature) {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${encode(signature ?? key.sign(signed))}`;
}

/** base64url of bytes, of a text as it is, or of an object as JSON. */
export function encode(value) {
  if (Buffer.isBuffer(value)) return value.toString('base64url');
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

export function sha256(text) {
  return createHash('sha256').update(text).digest();
}

function toNumber(bytes) {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function toBytes(number) {
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
}

function inverse(value, modulus) {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (a > 1n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x];
  return ((x % modulus) + modulus) % modulus;
}
