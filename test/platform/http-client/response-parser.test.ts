/** The parser of upstream responses: where a response ends must not depend on how its bytes arrive. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseParser } from '../../../src/platform/http-client/response-parser.ts';

interface Parsed {
  statuses: number[];
  headers: string[];
  body: string;
  isComplete: boolean;
  /** Bytes that do not belong to the response. */
  left: number;
  isKept: boolean;
  error?: string;
}

function parse(text: string, cuts: readonly number[] = [], method = 'GET'): Parsed {
  const parsed: Parsed = { statuses: [], headers: [], body: '', isComplete: false, left: 0, isKept: false };
  const parser = new ResponseParser({
    onHead: ({ status, headers }) => {
      parsed.statuses.push(status);
      parsed.headers.push(...headers);
    },
    onData: (chunk) => {
      parsed.body += chunk.toString('latin1');
    },
  });
  parser.expect(method);
  const bytes = Buffer.from(text, 'latin1');
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let at = 0;
  try {
    for (const end of [...ends, bytes.length]) {
      // Overwritten after each call, as the connection does.
      const part = Buffer.from(bytes.subarray(at, end));
      parsed.left += part.length - (parser.isIdle ? 0 : parser.push(part));
      part.fill(0);
      at = end;
    }
    parsed.isComplete = parser.isIdle;
    parsed.isKept = parser.isKept;
    if (!parser.isIdle) parsed.isComplete = parser.end();
  } catch (error) {
    parsed.error = (error as Error).message;
  }
  return parsed;
}

const head = (...lines: string[]) => `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n`;
const chunked = (...chunks: string[]) =>
  `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;

describe('a response', () => {
  it('ends where its length, its chunks or its connection says', () => {
    expect(parse(`${head('Content-Length: 3')}abcX`)).toMatchObject({ body: 'abc', isComplete: true, left: 1 });
    expect(parse(head('Transfer-Encoding: chunked') + chunked('abc', 'de'))).toMatchObject({ body: 'abcde', left: 0 });
    expect(parse(`${head()}abc`)).toMatchObject({ body: 'abc', isComplete: true, isKept: false });
    expect(parse(`${head('Content-Length: 3')}ab`).isComplete).toBe(false);
    expect(parse(`${head('Transfer-Encoding: chunked')}3\r\nabc\r\n`).isComplete).toBe(false);
  });

  it('has no body after HEAD, 204 and 304, and follows informational responses', () => {
    expect(parse(head('Content-Length: 3'), [], 'HEAD')).toMatchObject({ body: '', isComplete: true, left: 0 });
    expect(parse('HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n')).toMatchObject({ isComplete: true });
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n';
    expect(parse(`${hints + head('Content-Length: 1')}a`)).toMatchObject({ statuses: [200], body: 'a', left: 0 });
  });

  it('keeps the bytes of a header value, without the spaces around it', () => {
    expect(parse(head('X:\t caf\xe9 \xa0 ', 'Y:', 'Content-Length: 0')).headers.slice(0, 4)).toEqual([
      ...['X', 'caf\xe9 \xa0'],
      ...['Y', ''],
    ]);
  });

  it('keeps the connection only if HTTP/1.1 allows it and nothing says otherwise', () => {
    expect(parse(head('Content-Length: 0')).isKept).toBe(true);
    expect(parse(head('Content-Length: 0', 'Connection: x, Close')).isKept).toBe(false);
    expect(parse('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n').isKept).toBe(false);
  });

  it.each([
    ['two lengths', head('Content-Length: 1', 'Content-Length: 1')],
    ['a length that is a list', head('Content-Length: 1, 1')],
    ['a negative length', head('Content-Length: -1')],
    ['a length with a sign', head('Content-Length: +1')],
    ['a length and chunks', head('Content-Length: 1', 'Transfer-Encoding: chunked')],
    ['another transfer coding', head('Transfer-Encoding: gzip, chunked')],
    ['two transfer codings', head('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')],
    ['a space before a colon', head('Content-Length : 1')],
    ['a folded header', head('X: a', ' b')],
    ['a bare line feed', head('X: a\nContent-Length: 1')],
    ['a bare carriage return', head('X: a\rb')],
    ['NUL', head('X: a\0b')],
    ['a line without a colon', head('X')],
    ['a change of protocol', 'HTTP/1.1 101 X\r\nUpgrade: x\r\n\r\n'],
    ['another protocol', 'HTTP/2 200 OK\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a head of 17 KB', head(`X: ${'x'.repeat(17_000)}`)],
    ['an endless head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(17_000)}`],
    ['a chunk size that is no number', `${head('Transfer-Encoding: chunked')}0x3\r\nabc\r\n0\r\n\r\n`],
    ['a chunk longer than its size', `${head('Transfer-Encoding: chunked')}2\r\nabc\r\n0\r\n\r\n`],
    ['a chunk size with a bare line feed', `${head('Transfer-Encoding: chunked')}3\nabc\r\n0\r\n\r\n`],
    ['an endless chunk extension', `${head('Transfer-Encoding: chunked')}3;${'x'.repeat(5_000)}`],
    ['endless trailers', `${head('Transfer-Encoding: chunked')}0\r\n${`a: ${'x'.repeat(1_000)}\r\n`.repeat(20)}`],
  ])('is refused with %s', (_what, text) => {
    expect(parse(text).error).toContain('malformed');
    fc.assert(fc.property(fc.array(fc.nat(), { maxLength: 5 }), (cuts) => parse(text, cuts).error !== undefined));
  });

  it('is the same however its bytes are cut', () => {
    const text = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) });
    const chunks = fc.array(
      text.filter((chunk) => chunk !== ''),
      { maxLength: 5 },
    );
    const whole = fc.oneof(
      text.map((body) => head(`Content-Length: ${body.length}`, 'X-Name: caf\xe9') + body),
      chunks.map((list) => head('Transfer-Encoding: chunked') + chunked(...list)),
      chunks.map((list) => `${head('Transfer-Encoding: chunked')}${chunked(...list).slice(0, -2)}A: b\r\n\r\n`),
      text.map((body) => `HTTP/1.1 100 Continue\r\n\r\n${head()}${body}`),
      text.map((garbage) => head('Transfer-Encoding: chunked') + garbage),
    );
    fc.assert(
      fc.property(whole, fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
        expect(parse(bytes, cuts)).toEqual(parse(bytes));
      }),
      { numRuns: 2_000 },
    );
  });
});
