/** What the gate adds to the site's response: a renewed token, or the end of one. */
import { ENTRY_COOKIE, ENTRY_HEADER } from '../../line/tokens/entry-pass.ts';
import { setCookie } from '../../platform/http-server/cookies.ts';
import type { Pass } from '../decision/decision.ts';

const NONE: readonly [string, string][] = [];

/**
 * Headers for the visitor, as pairs. If the site's response ends the session, the token is removed: other gates would
 * accept it until it expires.
 */
export function toAnswerHeaders(pass: Pass, endsSession = false): readonly [string, string][] {
  const isOver = endsSession && pass.visitor !== undefined;
  if (!isOver && pass.setCookies.length === 0 && pass.entryToken === undefined) return NONE;
  const cookies = [...pass.setCookies];
  if (isOver) {
    // Without Secure, it removes the cookie over TLS and without.
    setCookie({ header: (_, value) => cookies.push(value) }, ENTRY_COOKIE, '', { maxAgeSeconds: 0, secure: false });
  }
  const fields = cookies.map((cookie): [string, string] => ['set-cookie', cookie]);
  if (pass.entryToken !== undefined && !isOver) fields.push([ENTRY_HEADER, pass.entryToken]);
  return fields;
}
