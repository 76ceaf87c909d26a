/** Identities of the visitors: users with a JWT signed as the site would sign it, or guests with a cookie. */
import { createTokenSigner } from '../platform/jwt/tokens.ts';

/** The headers one visitor sends with each request. */
export interface Credentials {
  readonly headers: Record<string, string>;
  /** Stores the Set-Cookie headers of a response. */
  keep(cookies: readonly string[]): void;
}

export interface CredentialOptions {
  /** Makes user ids unique to this rehearsal. */
  run: string;
  /** Signs the JWTs of users; undefined: all visitors are guests. */
  authSecret: string | undefined;
  /** Whether each visitor sends a different X-Forwarded-For. */
  isForwarded: boolean;
  lastsMs: number;
}

/** Margin for visitors who arrive last. */
const EXTRA_SECONDS = 3_600;

export function createCredentials({ run, authSecret, isForwarded, lastsMs }: CredentialOptions) {
  const sign = authSecret === undefined ? undefined : createTokenSigner({ secret: authSecret, typ: 'JWT' });
  return (index: number): Credentials => {
    const headers: Record<string, string> = {};
    if (isForwarded) headers['x-forwarded-for'] = addressOf(index);
    if (sign !== undefined) {
      const iat = Math.floor(Date.now() / 1000);
      const exp = iat + Math.ceil(lastsMs / 1000) + EXTRA_SECONDS;
      headers.authorization = `Bearer ${sign({ sub: `rehearsal-${run}-${index}`, iat, exp })}`;
    }
    const cookies = new Map<string, string>();
    return {
      headers,
      keep(given) {
        if (sign !== undefined) return;
        for (const text of given) {
          const [, name, value] = /^([^=;]+)=([^;]*)/.exec(text) ?? [];
          if (name !== undefined) cookies.set(name, value!);
        }
        headers.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      },
    };
  };
}

/** From 198.18.0.0/15, which is reserved for benchmarks. */
function addressOf(index: number): string {
  return `198.${18 + ((index >> 16) & 1)}.${(index >> 8) & 255}.${index & 255}`;
}
