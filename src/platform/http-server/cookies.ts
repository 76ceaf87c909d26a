/** Reading and writing cookies: the two things needed of them. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const wanted = `${name}=`;
  // Searched, not taken apart: several are looked for in each request, and the pieces of all would be made each time.
  for (let at = header.indexOf(wanted); at !== -1; at = header.indexOf(wanted, at + 1)) {
    if (!isBeginning(header, at)) continue;
    const end = header.indexOf(';', at);
    return header.slice(at + wanted.length, end === -1 ? header.length : end).trimEnd();
  }
  return undefined;
}

/** Whether a cookie begins there: first of all, or behind a semicolon. */
function isBeginning(header: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (header[before] === ' ' || header[before] === '\t')) before -= 1;
  return before < 0 || header[before] === ';';
}

export interface CookieOptions {
  /** 0 removes the cookie. */
  maxAgeSeconds: number;
  secure: boolean;
  sameSite?: 'Lax' | 'Strict';
}

/** Always HttpOnly and for the whole site. `value` must be a token: base64url and dots. */
export function writeCookie(name: string, value: string, { maxAgeSeconds, secure, sameSite }: CookieOptions): string {
  const flags = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite ?? 'Lax'}`;
  return `${name}=${value}; ${flags}${secure ? '; Secure' : ''}`;
}
