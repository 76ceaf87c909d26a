/** Looks for keys that the tokens of a refused request name and that are not known here: a new one may have come. */
import { ENTRY_COOKIE, ENTRY_HEADER } from '../../line/tokens/entry-pass.ts';
import { readCookie } from '../../platform/http-server/cookies.ts';
import { isTokenForm } from '../../platform/jwt/token-form.ts';
import { VWR_COOKIE } from '../../tier1/tokens/vwr-pass.ts';
import type { Headers } from '../decision/gate-request.ts';
import { PASS_COOKIE } from '../decision/staff-pass.ts';

/** undefined: there is nothing to wait for. Otherwise decide again when it resolves. */
export type FindKeys = (headers: Headers) => Promise<void> | undefined;

/** `findMissing`: undefined for a known key, and while the keys were read just now. */
export function createFindKeys(findMissing: (keyId: string) => Promise<void> | undefined): FindKeys {
  return (headers) => {
    const cookies = typeof headers.cookie === 'string' ? headers.cookie : undefined;
    const header = headers[ENTRY_HEADER];
    const tokens = [typeof header === 'string' ? header : undefined, readCookie(cookies, ENTRY_COOKIE)];
    for (const token of [...tokens, readCookie(cookies, VWR_COOKIE), readCookie(cookies, PASS_COOKIE)]) {
      const keyId = token === undefined ? undefined : keyIdOf(token);
      const finding = keyId === undefined ? undefined : findMissing(keyId);
      if (finding !== undefined) return finding;
    }
    return undefined;
  };
}

/** Of tokens that a key pair signed. */
function keyIdOf(token: string): string | undefined {
  if (!isTokenForm(token)) return undefined;
  try {
    const text = atob(token.slice(0, token.indexOf('.')).replaceAll('-', '+').replaceAll('_', '/'));
    const { alg, kid } = JSON.parse(text) as { alg?: unknown; kid?: unknown };
    return typeof kid === 'string' && alg !== 'HS256' ? kid : undefined;
  } catch {
    return undefined;
  }
}
