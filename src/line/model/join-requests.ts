/**
 * Requests to join that carried a key of the client's own, so that one sent twice is known as such. A key belongs to
 * its visitor, so nobody can learn of another's or use it up; what is kept is a hash of both.
 */
import { hash } from 'node:crypto';

export interface JoinRequest {
  /** Chosen by the client; the same when the request is sent again. */
  key: string;
  /** Equal for equal parameters, whichever event they name. */
  fingerprint: string;
}

/** How long a key is remembered. */
export const REQUEST_TTL_MS = 300_000;
const HASH_LENGTH = 22;

export function requestIdOf(visitor: string, key: string): string {
  return hash('sha256', `${visitor.length} ${visitor} ${key}`, 'base64url').slice(0, HASH_LENGTH);
}
