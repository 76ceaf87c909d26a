/** What the gate adds to the site's response, and what it reads from it: a renewed token, the end of a session. */
import { ENTRY_COOKIE, ENTRY_HEADER } from '../../line/tokens/entry-pass.ts';
import { setCookie } from '../../platform/http-server/cookies.ts';
import type { Pass } from '../decision/decide.ts';
import type { Headers } from '../decision/gate-request.ts';
import { RELEASE_HEADER } from '../decision/pass-headers.ts';

/**
 * Headers for the visitor, as pairs. `site`: the headers of the site's response, where an adapter sees it. If the site
 * ends the session, the token is removed: other gates would accept it until it expires.
 */
export function toAnswerHeaders(pass: Pass, site: Headers = {}): [string, string][] {
  const cookies = [...pass.setCookies];
  const isOver = isReleased(site) && pass.visitor !== undefined;
  if (isOver) {
    // Without Secure, it removes the cookie over TLS and without.
    setCookie({ header: (_, value) => cookies.push(value) }, ENTRY_COOKIE, '', { maxAgeSeconds: 0, secure: false });
  }
  const fields = cookies.map((cookie): [string, string] => ['set-cookie', cookie]);
  if (pass.entryToken !== undefined && !isOver) fields.push([ENTRY_HEADER, pass.entryToken]);
  return fields;
}

/** Whether the site's response ends the visitor's session. The value does not matter. */
export function isReleased(site: Headers): boolean {
  return site[RELEASE_HEADER] !== undefined;
}
