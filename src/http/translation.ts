/**
 * Requests as clients of another system send them, and how Fairline answers them. A translation decides nothing: it asks
 * Fairline's own endpoints as the same caller, so identity, limits and validation are theirs.
 */

export type Headers = Readonly<Record<string, string | string[] | number | undefined>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ForeignRequest {
  method: Method;
  /** The values of `:name` in the path of the translation. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: Headers;
  /** Parsed JSON; undefined if there was no body. */
  body: unknown;
  /** When it came, in ms since 1970. */
  at: number;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; undefined: no body. */
  body: unknown;
  /** The body as JSON, if it was rendered before: large bodies are rendered once for all callers. */
  rendered?: string;
}

/**
 * Sends a request to Fairline with the headers of the caller, except those in `without`, and `headers` in addition. `path`
 * has its query.
 */
export type Ask = (
  method: Method,
  path: string,
  extra?: { body?: unknown; headers?: Readonly<Record<string, string>>; without?: readonly string[] },
) => Promise<Answer>;

export interface Translation {
  method: Method;
  /**
   * `:name` is one segment: `/api/tickets/:eventId`. Below `/api` it also applies to `/api/v1`. Where Fairline has the same
   * path and answers differently, name `/api/v1/…`: then our own pages still find ours below `/api`.
   */
  path: string;
  answer(request: ForeignRequest, ask: Ask): Promise<Answer>;
}

/**
 * Passes a request on under another path, with its own headers and body, and its answer back as it is. For streams, whose
 * answers cannot be translated.
 */
export interface Forwarding {
  method: Method;
  /** As in a translation. */
  path: string;
  /** Returns the path with its query. */
  forward(request: Pick<ForeignRequest, 'params' | 'query'>): string;
}

/** An answer that asks nobody. */
export function answerWith(status: number, body: unknown): Answer {
  return { status, headers: {}, body };
}

/** Whether the asked endpoint did what it was asked. Its refusals are usually passed on as they are. */
export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}
