/**
 * Writes the head of a request to an upstream. Refuses everything that a server could read as another request: this is the
 * last check before bytes leave, whatever was checked before.
 */
export interface RequestHead {
  method: string;
  /** Starts with a slash. */
  path: string;
  /** Names and values alternating. Without those that belong to the connection. */
  headers: readonly string[];
}

/** Nothing was sent. */
export class UnfitRequestError extends Error {
  override readonly name = 'UnfitRequestError';
}

/** What follows the head: nothing, this many bytes, or chunks of unknown total length. */
export type BodyLength = 'none' | number | 'chunked';

const METHOD = /^[A-Z][A-Z-]{0,31}$/;
const PATH = /^\/[\x21-\x7e\x80-\xff]*$/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_IN_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const DIGITS = /^\d{1,15}$/;
/** These are between the gate and the upstream, and only this file sets them. */
const OF_THE_CONNECTION = new Set(['connection', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']);
/** A server may expect a body after these unless it is told that there is none. */
const WITH_BODY = ['POST', 'PUT', 'PATCH'];

export function toRequestHead({ method, path, headers }: RequestHead, body: BodyLength): string {
  if (!METHOD.test(method) || method === 'CONNECT') throw new UnfitRequestError('the method is not a token');
  if (!PATH.test(path)) throw new UnfitRequestError('the path has characters that are not allowed');
  if (headers.length % 2 !== 0) throw new UnfitRequestError('a header has no value');
  let text = `${method} ${path} HTTP/1.1\r\n`;
  let hasHost = false;
  let length: string | undefined;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!;
    const value = headers[at + 1]!;
    const kind = kindOf(name);
    if (kind === 'unfit') throw new UnfitRequestError('a header name is not allowed');
    if (NOT_IN_A_VALUE.test(value)) throw new UnfitRequestError('a header value has a control character');
    if (kind === 'host') {
      if (hasHost) throw new UnfitRequestError('there are two host headers');
      hasHost = true;
    } else if (kind === 'content-length') {
      if (length !== undefined || !DIGITS.test(value)) throw new UnfitRequestError('content-length is not one number');
      length = value;
    }
    text += `${name}: ${value}\r\n`;
  }
  if (!hasHost) throw new UnfitRequestError('there is no host header');
  return `${text}${toFraming(method, body, length)}connection: keep-alive\r\n\r\n`;
}

function toFraming(method: string, body: BodyLength, length: string | undefined): string {
  if (body === 'chunked') return length === undefined ? 'transfer-encoding: chunked\r\n' : '';
  const bytes = body === 'none' ? 0 : body;
  if (length !== undefined) {
    if (Number(length) !== bytes) throw new UnfitRequestError('content-length is not the length of the body');
    return '';
  }
  return bytes > 0 || WITH_BODY.includes(method) ? `content-length: ${bytes}\r\n` : '';
}

type NameKind = 'plain' | 'host' | 'content-length' | 'unfit';

/** Visitors send few different names, each in few spellings. */
const kinds = new Map<string, NameKind>();
const KINDS_AT_MOST = 1_000;

function kindOf(name: string): NameKind {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const kind = classify(name);
  if (name.length <= 64) {
    if (kinds.size >= KINDS_AT_MOST) kinds.clear();
    kinds.set(name, kind);
  }
  return kind;
}

function classify(name: string): NameKind {
  const lower = name.toLowerCase();
  if (!NAME.test(name) || OF_THE_CONNECTION.has(lower)) return 'unfit';
  return lower === 'host' || lower === 'content-length' ? lower : 'plain';
}
