/** Reads the cookies of a request and sets those of a response. */

/**
 * A cookie that says who somebody is. Over TLS it is set as `__Host-name`, which browsers accept only from this very host:
 * neither a subdomain nor a page without TLS can replace it. The plain name is set where there is no TLS, and read
 * everywhere: until version 0.4 for identities of 0.2 and earlier, and because a host site sets its own session cookie.
 */
export interface IdentityCookie {
  readonly name: string;
}

/** Other cookies, whose names are part of a protocol, are plain strings. */
export type CookieName = string | IdentityCookie;

const HOST_PREFIX = '__Host-';

export function readCookie(header: string | undefined, name: CookieName): string | undefined {
  if (header === undefined) return undefined;
  const isIdentity = typeof name !== 'string';
  const wanted = `${isIdentity ? name.name : name}=`;
  let plain: string | undefined;
  // Searches instead of splitting: each request looks up several cookies, and splitting would allocate all of them.
  for (let at = header.indexOf(wanted); at !== -1; at = header.indexOf(wanted, at + 1)) {
    if (isCookieStart(header, at)) {
      plain ??= valueAt(header, at + wanted.length);
      if (!isIdentity) return plain;
    } else if (isIdentity && isHostCookie(header, at)) return valueAt(header, at + wanted.length);
  }
  return plain;
}

/** Whether the name at this index follows the prefix `__Host-`, and a cookie starts there. */
function isHostCookie(header: string, at: number): boolean {
  const start = at - HOST_PREFIX.length;
  return start >= 0 && header.startsWith(HOST_PREFIX, start) && isCookieStart(header, start);
}

/** Whether a cookie starts at this index: at the start of the header or after a semicolon. */
function isCookieStart(header: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (header[before] === ' ' || header[before] === '\t')) before -= 1;
  return before < 0 || header[before] === ';';
}

function valueAt(header: string, from: number): string {
  const end = header.indexOf(';', from);
  return header.slice(from, end === -1 ? header.length : end).trimEnd();
}

/** Where cookies are set; Fastify's reply has it, and `AnswerHead`. Declared here because this file is pure. */
interface CookieHead {
  header(name: 'set-cookie', value: string): unknown;
}

export interface CookieOptions {
  /** 0 removes the cookie. */
  maxAgeSeconds: number;
  secure: boolean;
  sameSite?: 'Lax' | 'Strict';
  /** Whether scripts of the page may read it; otherwise it is HttpOnly. */
  readable?: boolean;
}

/** Always with path `/`, and HttpOnly unless it says otherwise. `value` must consist of base64url characters and dots. */
export function setCookie(head: CookieHead, name: CookieName, value: string, options: CookieOptions): void {
  for (const nameToSet of namesToSet(name, options)) head.header('set-cookie', writeCookie(nameToSet, value, options));
}

/** Both names when the cookie is removed: otherwise the plain one would count again. */
function namesToSet(name: CookieName, { secure, maxAgeSeconds }: CookieOptions): string[] {
  if (typeof name === 'string') return [name];
  const { name: plain } = name;
  if (!secure || plain.startsWith(HOST_PREFIX)) return [plain];
  return maxAgeSeconds === 0 ? [HOST_PREFIX + plain, plain] : [HOST_PREFIX + plain];
}

function writeCookie(name: string, value: string, options: CookieOptions): string {
  const { maxAgeSeconds, secure, sameSite = 'Lax', readable = false } = options;
  const flags = `Path=/; Max-Age=${maxAgeSeconds}; ${readable ? '' : 'HttpOnly; '}SameSite=${sameSite}`;
  return `${name}=${value}; ${flags}${secure ? '; Secure' : ''}`;
}
