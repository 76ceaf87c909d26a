/** The signature algorithms that tokens may use (RFC 7518, RFC 8037). A key has one of them; a token cannot choose another. */
export const algorithms = ['EdDSA', 'ES256', 'RS256', 'HS256', 'HS384', 'HS512'] as const;

export type Algorithm = (typeof algorithms)[number];

export function isAlgorithm(name: unknown): name is Algorithm {
  return (algorithms as readonly unknown[]).includes(name);
}
