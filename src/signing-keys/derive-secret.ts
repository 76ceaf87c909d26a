/** Derives the secret of one setting from FAIRLINE_SECRET. */
import { createMac } from '../platform/crypto/hmac.ts';

export function deriveSecret(root: string, setting: string): string {
  const label = `fairline secret ${setting}`;
  return createMac(root, label.length)(label);
}
