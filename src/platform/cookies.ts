/** Reading and writing cookies: the two things needed of them. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const wanted = `${name}=`;
  for (const part of header.split(';')) {
    const cookie = part.trim();
    if (cookie.startsWith(wanted)) return cookie.slice(wanted.length);
  }
  return undefined;
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
