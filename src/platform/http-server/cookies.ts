/** Reads a cookie of a request and writes a Set-Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const wanted = `${name}=`;
  // Searches instead of splitting: each request looks up several cookies, and splitting would allocate all of them.
  for (let at = header.indexOf(wanted); at !== -1; at = header.indexOf(wanted, at + 1)) {
    if (!isCookieStart(header, at)) continue;
    const end = header.indexOf(';', at);
    return header.slice(at + wanted.length, end === -1 ? header.length : end).trimEnd();
  }
  return undefined;
}

/** Whether a cookie starts at this index: at the start of the header or after a semicolon. */
function isCookieStart(header: string, at: number): boolean {
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

/** Always HttpOnly and with path `/`. `value` must consist of base64url characters and dots. */
export function writeCookie(name: string, value: string, { maxAgeSeconds, secure, sameSite }: CookieOptions): string {
  const flags = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite ?? 'Lax'}`;
  return `${name}=${value}; ${flags}${secure ? '; Secure' : ''}`;
}
