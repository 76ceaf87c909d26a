/** The keys of one kind of token, derived from its secrets. */
import { createMac } from '../platform/crypto/hmac.ts';
import { type TokenKind, type TokenKindName, tokenKinds } from './token-kinds.ts';

/** The key (or secret) to sign with, then those whose texts are still accepted. */
export type KeyRing = readonly [string, ...string[]];

/** `secrets`: the current one, then previous ones. */
export function createKeyRing(kind: Exclude<TokenKindName, `operator${string}`>, secrets: KeyRing): KeyRing {
  const { label, acceptsSecret }: TokenKind = tokenKinds[kind];
  if (label === undefined) return secrets;
  const [current, ...previous] = secrets;
  const derive = (secret: string) => createMac(secret, label.length)(label);
  return [derive(current), ...previous.map(derive), ...(acceptsSecret === true ? secrets : [])];
}
