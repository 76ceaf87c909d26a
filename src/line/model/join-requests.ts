/**
 * Idempotency keys of join requests. Only a hash of visitor and key is stored, so no visitor can probe or use up the
 * key of another.
 */
import { hash } from 'node:crypto';

export interface JoinRequest {
  /** Chosen by the client; a retry sends the same. */
  key: string;
  /** Equal for equal parameters. */
  fingerprint: string;
}

/** How long a key is remembered. */
export const REQUEST_TTL_MS = 300_000;
const HASH_LENGTH = 22;

export function requestIdOf(visitor: string, key: string): string {
  return hash('sha256', `${visitor.length} ${visitor} ${key}`, 'base64url').slice(0, HASH_LENGTH);
}
