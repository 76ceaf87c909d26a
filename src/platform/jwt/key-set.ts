/** The keys that a verifier accepts. */
import type { VerifyingKey } from './verifying-key.ts';

export interface KeySet {
  /** A new array whenever a key was added or removed, so that a verifier can tell and forget what it remembered. */
  readonly keys: readonly VerifyingKey[];
}
