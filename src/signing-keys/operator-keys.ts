/**
 * Keys derived from the operator token, one per purpose, so changing the token ends all sessions. scrypt is slow on
 * purpose: a cookie or a stolen database must not help to guess the token. Computed on first use.
 */
import { createHmac, scryptSync } from 'node:crypto';
import { tokenKinds } from './token-kinds.ts';

const FACTOR_LABEL = 'fairline operator second factor';
const SIGN_IN_LABEL = 'fairline operator sign-in';

export interface OperatorKeys {
  /** Signs sessions. */
  session(): string;
  /** Signs sessions that still need a second factor. */
  pending(): string;
  /** Encrypts the secrets of second factors. */
  factor(): Buffer;
  /** Encrypts what a browser carries while its operator signs in at the identity provider. */
  signIn(): Buffer;
}

export function createOperatorKeys(adminToken: string): OperatorKeys {
  let base: Buffer | undefined;
  const getBase = () => {
    base ??= scryptSync(adminToken, tokenKinds.operatorSession.label, 32);
    return base;
  };
  const derive = (purpose: string) => createHmac('sha256', getBase()).update(purpose).digest();
  return {
    session: () => getBase().toString('base64url'),
    pending: () => derive(tokenKinds.operatorPending.label).toString('base64url'),
    factor: () => derive(FACTOR_LABEL),
    signIn: () => derive(SIGN_IN_LABEL),
  };
}
