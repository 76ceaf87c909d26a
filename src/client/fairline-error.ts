/** An error response of Fairline, as docs/reference/errors.md lists them. */

export interface FieldError {
  field: string;
  message: string;
  /** What the value must satisfy, such as `minLength`; treat an unknown one as none. */
  rule?: string;
  /** What the rule compares with. */
  limit?: number | string | string[];
}

export class FairlineError extends Error {
  override readonly name = 'FairlineError';
  readonly status: number;
  /** A code of the error table, such as `RATE_LIMITED`; `HTTP_502` if something else answered, such as a proxy. */
  readonly code: string;
  /** From `Retry-After`: how long to wait before the next attempt. */
  readonly retryAfterSeconds: number | undefined;
  /** Find it in the server's log. */
  readonly traceId: string | undefined;
  /** What is wrong with which field of the request. */
  readonly fields: readonly FieldError[];
  /** The whole response, for the fields that some errors add. */
  readonly body: unknown;

  constructor(response: Pick<Response, 'status' | 'headers'>, body: unknown) {
    const { code, message, trace_id: traceId, fields = [] } = readError(body);
    super(message ?? `The server answered ${response.status}.`);
    this.status = response.status;
    this.code = code ?? `HTTP_${response.status}`;
    this.retryAfterSeconds = readSeconds(response.headers.get('retry-after'));
    this.traceId = traceId ?? response.headers.get('x-request-id') ?? undefined;
    this.fields = fields;
    this.body = body;
  }

  /** Whether the same request may succeed later: too many requests, or a server or proxy that is unavailable. */
  get isTemporary(): boolean {
    return this.status === 429 || this.status === 408 || this.status >= 500;
  }
}

interface ErrorFields {
  code?: string;
  message?: string;
  trace_id?: string;
  fields?: readonly FieldError[];
}

function readError(body: unknown): ErrorFields {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'object' && error !== null ? error : {};
}

/** Fairline sends seconds. A proxy may send a date, which is ignored. */
function readSeconds(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
