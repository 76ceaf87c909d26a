/**
 * Keys derived from the operator token, one per purpose, so changing the token ends all sessions. scrypt is slow on
 * purpose: a cookie or a stolen database must not help to guess the token. Computed on first use.
 */
import { createHmac, scryptSync } from 'node:crypto';

export interface OperatorKeys {
  /** Signs sessions. */
  session(): string;
  /** Signs sessions that still need a second factor. */
  pending(): string;
  /** Encrypts the secrets of second factors. */
  factor(): Buffer;
}

export function createOperatorKeys(adminToken: string): OperatorKeys {
  let base: Buffer | undefined;
  const getBase = () => {
    base ??= scryptSync(adminToken, 'fairline operator session', 32);
    return base;
  };
  const derive = (purpose: string) => createHmac('sha256', getBase()).update(purpose).digest();
  return {
    session: () => getBase().toString('base64url'),
    pending: () => derive('fairline pending operator session').toString('base64url'),
    factor: () => derive('fairline operator second factor'),
  };
}
