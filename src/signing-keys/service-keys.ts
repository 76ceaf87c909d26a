/**
 * The key by which servers prove themselves to the line: gates in other processes, and the site's own backend. It signs
 * nothing. Unless SERVICE_KEY is set, gates derive it from the secret that they share with the line anyway.
 */
import { createMac } from '../platform/crypto/hmac.ts';
import type { KeyRing } from './key-ring.ts';
import { SERVICE_KEY_LABEL } from './token-kinds.ts';

/** The key to send, then those that are accepted too. `entrySecrets`: the ring of QUEUE_ENTRY_TOKEN_SECRET. */
export function createServiceKeys(configured: string | undefined, entrySecrets: KeyRing): KeyRing {
  const derived = entrySecrets.map((secret) => createMac(secret, SERVICE_KEY_LABEL.length)(SERVICE_KEY_LABEL));
  return (configured === undefined ? derived : [configured, ...derived]) as unknown as KeyRing;
}
