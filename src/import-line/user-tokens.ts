/** Signs tokens of users as the site does, by the settings with which the line verifies them. */
import { createHmac } from 'node:crypto';
import { secretBytes } from '../platform/crypto/secret-bytes.ts';

export interface UserTokenOptions {
  secret: string;
  algorithm: 'HS256' | 'HS384' | 'HS512';
  userClaim: string;
  requiredClaims: readonly { name: string; value: string }[];
  issuer: string | undefined;
  audience: string | undefined;
}

const LIFETIME_SECONDS = 60;

export function createUserTokens(options: UserTokenOptions): (user: string) => string {
  const { algorithm, userClaim, requiredClaims, issuer, audience } = options;
  const key = secretBytes(options.secret);
  const header = encode({ alg: algorithm, typ: 'JWT' });
  const fixed = {
    ...Object.fromEntries(requiredClaims.map(({ name, value }) => [name, value])),
    ...(issuer !== undefined && { iss: issuer }),
    ...(audience !== undefined && { aud: audience }),
  };
  return (user) => {
    const iat = Math.floor(Date.now() / 1000);
    const signed = `${header}.${encode({ ...fixed, [userClaim]: user, iat, exp: iat + LIFETIME_SECONDS })}`;
    return `${signed}.${createHmac(`sha${algorithm.slice(2)}`, key)
      .update(signed)
      .digest('base64url')}`;
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
