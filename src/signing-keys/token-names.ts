/** `iss` and `aud` of tokens: who issues them, and for whom. Pure, because a gate in an edge runtime uses it too. */
export interface TokenNames {
  issuer: string;
  audience: string;
  /** Written into new tokens. Into those that a secret signs only if configured: clients of other systems expect neither. */
  written: { iss?: string; aud?: string };
}

export const DEFAULT_NAME = 'fairline';
export const UNNAMED: TokenNames = { issuer: DEFAULT_NAME, audience: DEFAULT_NAME, written: {} };

/**
 * A token of a key pair must have both. One that a secret signed may lack them, because it may be older than the setting;
 * it must not have others.
 */
export function hasRightNames(
  { iss, aud }: Readonly<Record<string, unknown>>,
  { issuer, audience, written }: TokenNames,
  isBySecret: boolean,
): boolean {
  if (!isBySecret) return iss === issuer && isFor(aud, audience);
  const isRightIssuer = iss === undefined || written.iss === undefined || iss === written.iss;
  return isRightIssuer && (aud === undefined || written.aud === undefined || isFor(aud, written.aud));
}

/** RFC 7519: one audience or a list of them. */
function isFor(aud: unknown, audience: string): boolean {
  return aud === audience || (Array.isArray(aud) && aud.includes(audience));
}
