/**
 * Requests whose end servers see in different places, to hide a second request from the gate. On every way to run the
 * gate that has an HTTP parser of its own, the hidden request never reaches the site.
 */
import { describe, expect, it } from 'vitest';
import { type Seen, sendText } from './conformance.ts';
import { adapters } from './conformance-adapters.ts';

const HIDDEN = 'GET /shop/concert?smuggled=1 HTTP/1.1\r\nHost: shop.example\r\nX-Fairline-Event: concert\r\n\r\n';
const chunked = `0\r\n\r\n${HIDDEN}`;

/** The request line is that of a public page; a gate passes it as far as it is one request. */
const attacks: Record<string, string> = {
  'Content-Length before Transfer-Encoding': post(
    [`Content-Length: ${chunked.length}`, 'Transfer-Encoding: chunked'],
    chunked,
  ),
  'Transfer-Encoding before Content-Length': post(
    ['Transfer-Encoding: chunked', `Content-Length: ${chunked.length}`],
    chunked,
  ),
  'two lengths': post(['Content-Length: 0', `Content-Length: ${HIDDEN.length}`], HIDDEN),
  'a list of lengths': post([`Content-Length: 0, ${HIDDEN.length}`], HIDDEN),
  'a signed length': post(['Content-Length: +0'], HIDDEN),
  'a length in hexadecimal': post([`Content-Length: 0x${HIDDEN.length.toString(16)}`], HIDDEN),
  'a space before the colon': post([`Content-Length : ${HIDDEN.length}`], HIDDEN),
  'an unknown encoding': post(['Transfer-Encoding: xchunked', 'Content-Length: 0'], HIDDEN),
  'a disguised encoding': post(['Transfer-Encoding: \x0bchunked', `Content-Length: ${chunked.length}`], chunked),
  'two encodings': post(
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity', `Content-Length: ${chunked.length}`],
    chunked,
  ),
  'a folded header': post(['Transfer-Encoding:\r\n chunked', `Content-Length: ${chunked.length}`], chunked),
  'a chunk size that overflows': post(['Transfer-Encoding: chunked'], `10000000000000000\r\n${HIDDEN}`),
  'a chunk size with a sign': post(['Transfer-Encoding: chunked'], `-1\r\n${HIDDEN}`),
  'a bare line feed in a header': post(
    [`X-A: 1\nTransfer-Encoding: chunked`, `Content-Length: ${chunked.length}`],
    chunked,
  ),
  'a header with a line break in its name': post([`X-A\r: 1`, 'Content-Length: 0'], HIDDEN),
};

describe.each(adapters.filter(({ isInProcess }) => !isInProcess))('$name', ({ start }) => {
  it('never passes a hidden request', async () => {
    const { url, seen } = await start();
    const problems: string[] = [];
    for (const [title, text] of Object.entries(attacks)) {
      seen.length = 0;
      await sendText(url, text).catch(() => 0);
      // The next request uses the connection on which a hidden one would wait.
      await sendText(url, 'GET /public HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n');
      if (seen.some(isHidden)) problems.push(title);
    }
    expect(problems).toEqual([]);
  });
});

function isHidden({ url, rawHeaders }: Seen): boolean {
  return url.includes('smuggled') || rawHeaders.some((text) => text.includes('smuggled'));
}

function post(headers: string[], body: string): string {
  return ['POST /public HTTP/1.1', 'Host: shop.example', ...headers, '', body].join('\r\n');
}
