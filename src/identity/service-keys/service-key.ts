/** Service keys: bearer tokens of scripts and servers, each with a name and a role. Only their hashes are kept. */
import { createHash, randomBytes } from 'node:crypto';
import type { OperatorRole } from '../roles/operator-roles.ts';

/** ADMIN_TOKEN, in the list of keys and in the audit trail. */
export const ADMIN_KEY_NAME = 'admin-token';

/** Lower case, so that no name looks like another, and nothing that the audit trail could take for an account. */
export const KEY_NAME_PATTERN = '^[a-z][a-z0-9-]{0,39}$';

/** What the audit trail calls others. */
const RESERVED = [ADMIN_KEY_NAME, 'token', 'unknown', 'system', 'service'];

const PREFIX = 'flk_';
const SECRET_BYTES = 32;
const TOKEN = /^flk_[A-Za-z0-9_-]{43}$/;

export interface ServiceKey {
  name: string;
  /** Tells a key from an earlier one with the same name. */
  id: string;
  role: OperatorRole;
  /** In ms since 1970; undefined: never. */
  expiresAt?: number;
}

/** As it is kept. */
export interface StoredKey extends Omit<ServiceKey, 'name'> {
  /** SHA-256 of the token, in hex. The token is random, so a plain hash cannot be reversed by trying. */
  hash: string;
  createdAt: number;
  createdBy: string;
}

export interface KeyUse {
  at: number;
  from: string;
}

export function isReservedName(name: string): boolean {
  return RESERVED.includes(name);
}

export function createKeyToken(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** undefined: no service key has this form. */
export function hashKeyToken(token: string): string | undefined {
  return TOKEN.test(token) ? createHash('sha256').update(`fairline service key\n${token}`).digest('hex') : undefined;
}

export function hasExpired({ expiresAt }: Pick<ServiceKey, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}
