/**
 * Parses the responses of an upstream. Strict: what two programs could read differently (two lengths, a length and a transfer
 * coding, a folded header, a bare line feed) is an error, because the next response on the connection depends on where this
 * one ends. Written here because every response of the gate and of a rehearsal passes through it.
 */
export interface ResponseHead {
  status: number;
  message: string;
  /** Names and values alternating, as received. */
  headers: readonly string[];
}

export interface ResponseEvents {
  onHead(head: ResponseHead): void;
  /** The bytes are only valid during the call. */
  onData(chunk: Buffer): void;
}

export class MalformedResponseError extends Error {
  override readonly name = 'MalformedResponseError';
}

const HEAD_AT_MOST = 16 * 1024;
const LINE_AT_MOST = 4 * 1024;
const END_OF_HEAD = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: (.*))?$/;
const NOT_IN_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DIGITS = /^\d{1,15}$/;
const CHUNK_SIZE = /^([0-9a-fA-F]{1,13})[\t ]*(?:;[^\r\n\0]*)?$/;
const KEEP_ALIVE_TIMEOUT = /(?:^|[,;\s])timeout=(\d{1,6})/i;

type State = 'idle' | 'head' | 'length' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailers' | 'until-close';

/** One response after another. `expect` starts each one. */
export class ResponseParser {
  /** Whether the connection may carry another request after this response. */
  isKept = false;
  /** How long the upstream says it keeps an idle connection; undefined: it does not say. */
  keepAliveMs: number | undefined;
  readonly #events: ResponseEvents;
  #state: State = 'idle';
  #hasNoBody = false;
  /** The start of a head or a line whose rest has not arrived. */
  #partial = '';
  #left = 0;
  #trailerBytes = 0;

  constructor(events: ResponseEvents) {
    this.#events = events;
  }

  get isIdle(): boolean {
    return this.#state === 'idle';
  }

  expect(method: string): void {
    this.#state = 'head';
    this.#hasNoBody = method === 'HEAD';
    this.#partial = '';
  }

  /** Returns how many bytes belong to the expected response. Throws a MalformedResponseError. */
  push(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && this.#state !== 'idle') at = this.#step(bytes, at);
    return at;
  }

  /** The upstream has closed the connection. Whether that completes the response. */
  end(): boolean {
    const isComplete = this.#state === 'until-close';
    this.#state = 'idle';
    return isComplete;
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at);
      case 'length':
        return this.#readBody(bytes, at, 'idle');
      case 'chunk-data':
        return this.#readBody(bytes, at, 'chunk-end');
      case 'until-close':
        this.#events.onData(at === 0 ? bytes : bytes.subarray(at));
        return bytes.length;
      default:
        return this.#readLine(bytes, at);
    }
  }

  #readBody(bytes: Buffer, at: number, next: State): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    // First the state: the handler may look at it.
    if (this.#left === 0) this.#state = next;
    this.#events.onData(bytes.subarray(at, end));
    return end;
  }

  #readHead(bytes: Buffer, at: number): number {
    const before = this.#partial.length;
    // The rest of the bytes is mostly the body, which may be long.
    const window = bytes.toString('latin1', at, Math.min(bytes.length, at + HEAD_AT_MOST + END_OF_HEAD.length));
    const text = before === 0 ? window : this.#partial + window;
    const end = text.indexOf(END_OF_HEAD, Math.max(0, before - END_OF_HEAD.length));
    if (end > HEAD_AT_MOST || (end === -1 && text.length > HEAD_AT_MOST)) throw malformed('its head is too large');
    if (end === -1) {
      this.#partial = text;
      return bytes.length;
    }
    this.#partial = '';
    this.#acceptHead(text.slice(0, end));
    return at + end + END_OF_HEAD.length - before;
  }

  #acceptHead(text: string): void {
    const head = readHead(text);
    if (head.status === 101) throw malformed('it changes the protocol');
    // An informational response such as 103; the final one follows.
    if (head.status < 200) return;
    this.isKept = head.isKept;
    this.keepAliveMs = head.keepAliveMs;
    if (this.#hasNoBody || head.status === 204 || head.status === 304) this.#state = 'idle';
    else if (head.isChunked) this.#state = 'chunk-size';
    else if (head.length !== undefined) {
      this.#left = head.length;
      this.#state = head.length === 0 ? 'idle' : 'length';
    } else {
      this.#state = 'until-close';
      this.isKept = false;
    }
    this.#trailerBytes = 0;
    this.#events.onHead(head);
  }

  /** A line of the framing of a chunked body: a size, the end of a chunk, a trailer. */
  #readLine(bytes: Buffer, at: number): number {
    const found = bytes.indexOf(0x0a, at);
    const end = found === -1 ? bytes.length : found + 1;
    const text = this.#partial + bytes.toString('latin1', at, end);
    if (text.length > LINE_AT_MOST) throw malformed('a line of its chunked body is too long');
    if (found === -1) {
      this.#partial = text;
      return end;
    }
    this.#partial = '';
    if (!text.endsWith('\r\n')) throw malformed('a line of its chunked body does not end in CRLF');
    this.#acceptLine(text.slice(0, -2));
    return end;
  }

  #acceptLine(line: string): void {
    if (this.#state === 'chunk-end') {
      if (line !== '') throw malformed('a chunk is longer than its size');
      this.#state = 'chunk-size';
    } else if (this.#state === 'chunk-size') {
      const size = CHUNK_SIZE.exec(line)?.[1];
      if (size === undefined) throw malformed('the size of a chunk is not a number');
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? 'trailers' : 'chunk-data';
    } else {
      // Trailers are dropped.
      this.#trailerBytes += line.length;
      if (this.#trailerBytes > HEAD_AT_MOST) throw malformed('its trailers are too large');
      if (line === '') this.#state = 'idle';
    }
  }
}

interface ReadHead extends ResponseHead {
  length: number | undefined;
  isChunked: boolean;
  isKept: boolean;
  keepAliveMs: number | undefined;
}

function readHead(text: string): ReadHead {
  let end = text.indexOf('\r\n');
  if (end === -1) end = text.length;
  const status = STATUS_LINE.exec(text.slice(0, end));
  if (status === null || NOT_IN_A_VALUE.test(status[3] ?? '')) throw malformed('its status line is not HTTP/1.x');
  const headers: string[] = [];
  const head: ReadHead = {
    status: Number(status[2]),
    message: status[3] ?? '',
    headers,
    length: undefined,
    isChunked: false,
    isKept: status[1] === '1',
    keepAliveMs: undefined,
  };
  for (let at = end + 2; at < text.length; at = end + 2) {
    end = text.indexOf('\r\n', at);
    if (end === -1) end = text.length;
    const colon = text.indexOf(':', at);
    const name = colon === -1 || colon > end ? '' : text.slice(at, colon);
    const value = sliceTrimmed(text, colon + 1, end);
    const kind = kindOf(name);
    if (kind === 'unfit') throw malformed('a header name is not a token');
    // Also finds a line end other than CRLF.
    if (NOT_IN_A_VALUE.test(value)) throw malformed('a header value has a control character');
    headers.push(name, value);
    if (kind !== 'plain') readFraming(kind, value, head);
  }
  if (head.isChunked && head.length !== undefined) throw malformed('it has a length and a transfer coding');
  return head;
}

/** Without the spaces and tabs around it. Not `trim`, which also removes the byte 0xa0 of a longer character. */
function sliceTrimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09;

type Framing = 'content-length' | 'transfer-encoding' | 'connection' | 'keep-alive';
const framings: ReadonlySet<string> = new Set<Framing>([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
]);

/** A site sends few different names. */
const kinds = new Map<string, Framing | 'plain' | 'unfit'>();
const KINDS_AT_MOST = 1_000;
const LONGEST_KNOWN = 64;

function kindOf(name: string): Framing | 'plain' | 'unfit' {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  if (!NAME.test(name)) return 'unfit';
  const lower = name.toLowerCase();
  const kind = framings.has(lower) ? (lower as Framing) : 'plain';
  if (kinds.size >= KINDS_AT_MOST) kinds.clear();
  if (name.length <= LONGEST_KNOWN) kinds.set(name, kind);
  return kind;
}

function readFraming(name: Framing, value: string, head: ReadHead): void {
  if (name === 'content-length') {
    if (head.length !== undefined || !DIGITS.test(value)) throw malformed('its content-length is not one number');
    head.length = Number(value);
  } else if (name === 'transfer-encoding') {
    if (head.isChunked || value.toLowerCase() !== 'chunked') throw malformed('its transfer coding is not chunked');
    head.isChunked = true;
  } else if (name === 'connection') {
    if (/(?:^|[\s,])close(?:$|[\s,])/i.test(value)) head.isKept = false;
  } else {
    const seconds = KEEP_ALIVE_TIMEOUT.exec(value)?.[1];
    if (seconds !== undefined) head.keepAliveMs = Number(seconds) * 1000;
  }
}

const malformed = (why: string) => new MalformedResponseError(`the response of the upstream is malformed: ${why}`);
