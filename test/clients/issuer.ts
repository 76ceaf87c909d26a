/** A stand-in for the line that publishes keys and signs tokens, so that a test can rotate and retire keys. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { startSite } from '../support/site.ts';

interface SigningKey {
  kid: string;
  sign(text: string): Buffer;
  jwk: object;
}

export interface Issuer {
  url: string;
  /** How often the keys were read. */
  reads(): number;
  publish(...keys: SigningKey[]): void;
  /** The cookies of a guest with an entry token. */
  admit(key: SigningKey, event: string): { cookie: string; guest: string; tokenOnly: string };
}

export async function startIssuer(): Promise<Issuer> {
  let published: readonly SigningKey[] = [];
  const site = await startSite((request, response) => {
    response.statusCode = request.url === '/.well-known/jwks.json' ? 200 : 404;
    response.end(JSON.stringify({ keys: published.map(({ jwk }) => jwk) }));
  });
  return {
    url: site.url,
    reads: () => site.asked.length,
    publish(...keys) {
      published = keys;
    },
    admit(key, event) {
      const secret = randomBytes(16).toString('base64url');
      const digest = createHash('sha256').update(`fairline guest ${secret}`).digest('base64url');
      const guest = `guest:${digest.slice(0, 16)}`;
      const now = Math.floor(Date.now() / 1000);
      const claims = { sub: event, uid: guest, jti: 'a.1', iat: now, exp: now + 600, iss: 'fairline', aud: 'fairline' };
      const signed = `${encode({ alg: 'EdDSA', typ: 'entry+jwt', kid: key.kid })}.${encode(claims)}`;
      const tokenOnly = `urr-entry-token=${signed}.${key.sign(signed).toString('base64url')}`;
      return { cookie: `${tokenOnly}; fairline-guest=${encode({})}.${encode({ key: secret })}.x`, guest, tokenOnly };
    },
  };
}

export function createSigningKey(kid: string): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' };
  return { kid, jwk, sign: (text) => sign(null, Buffer.from(text), privateKey) };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
