/** Who the visitors of a rehearsal are: users of the site, by tokens that we sign as it would, or guests with a cookie. */
import { createTokenSigner } from '../platform/jwt/tokens.ts';

/** What one visitor sends along with each request. */
export interface Credentials {
  readonly headers: Record<string, string>;
  /** From the answers of the server. */
  keep(cookies: readonly string[]): void;
}

export interface CredentialOptions {
  /** Told apart from those of other rehearsals. */
  run: string;
  /** Signs the tokens of users; without it everybody is a guest. */
  authSecret: string | undefined;
  /** Whether each visitor claims an address of their own, for servers that trust this machine as a proxy. */
  isForwarded: boolean;
  lastsMs: number;
}

/** Time to spare for those who come last. */
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

/** From 198.18.0.0/15, which is set aside for tests like this. */
function addressOf(index: number): string {
  return `198.${18 + ((index >> 16) & 1)}.${(index >> 8) & 255}.${index & 255}`;
}
