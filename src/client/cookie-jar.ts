/**
 * Keeps the cookies of one visitor where the runtime does not: in Node and edge runtimes, `fetch` forgets them, and every
 * request would be a new guest. A browser shows no Set-Cookie to scripts, so the jar stays empty there.
 */

/** More than Fairline sets, so that a jar cannot grow without end. */
const MAX_COOKIES = 50;

export class CookieJar {
  #cookies = new Map<string, { value: string; expiresAt: number }>();

  /** `header`: the content of a Cookie header. */
  constructor(header = '') {
    for (const pair of header.split(';')) this.#set(pair, Number.POSITIVE_INFINITY);
  }

  /** The content of a Cookie header; empty if there are no cookies. */
  toHeader(now = Date.now()): string {
    const valid = [...this.#cookies].filter(([, { expiresAt }]) => expiresAt > now);
    return valid.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }

  keep(headers: Headers, now = Date.now()): void {
    // Older runtimes have no getSetCookie.
    for (const line of headers.getSetCookie?.() ?? []) {
      const [pair = '', ...attributes] = line.split(';');
      this.#set(pair, expiryOf(attributes, now));
    }
  }

  #set(pair: string, expiresAt: number): void {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at)).trim();
    if (name === '') return;
    this.#cookies.delete(name);
    if (expiresAt > 0) this.#cookies.set(name, { value: pair.slice(at + 1).trim(), expiresAt });
    if (this.#cookies.size > MAX_COOKIES) this.#cookies.delete(this.#cookies.keys().next().value!);
  }
}

/** 0: delete the cookie. Max-Age wins over Expires (RFC 6265). */
function expiryOf(attributes: readonly string[], now: number): number {
  const values = new Map(
    attributes.map((text) => {
      const [name = '', value = ''] = text.split('=');
      return [name.trim().toLowerCase(), value.trim()];
    }),
  );
  const maxAge = values.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) > 0 ? now + Number(maxAge) * 1000 : 0;
  const expires = Date.parse(values.get('expires') ?? '');
  if (Number.isNaN(expires)) return Number.POSITIVE_INFINITY;
  return expires > now ? expires : 0;
}
