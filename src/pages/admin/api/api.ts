/** Calls the operator API. Refusals are values; a 401 reports that the session has ended. */
export interface FieldProblem {
  field: string;
  message: string;
}
export interface Refusal {
  ok: false;
  /** 0: no response. */
  status: number;
  /** Of the error table; empty: no response. */
  code: string;
  message: string;
  fields: FieldProblem[];
  retryAfterSeconds: number;
}
export type Answer<T> = { ok: true; body: T } | Refusal;

export const SESSION = '/api/admin/session';
const TIMEOUT_MS = 10_000;

export class Api {
  readonly #onSignedOut: () => void;

  constructor(onSignedOut: () => void) {
    this.#onSignedOut = onSignedOut;
  }

  get<T>(path: string): Promise<Answer<T>> {
    return this.#send<T>('GET', path);
  }

  put<T>(path: string, body: unknown): Promise<Answer<T>> {
    return this.#send<T>('PUT', path, body);
  }

  post<T>(path: string, body?: unknown): Promise<Answer<T>> {
    return this.#send<T>('POST', path, body);
  }

  delete<T>(path: string): Promise<Answer<T>> {
    return this.#send<T>('DELETE', path);
  }

  async #send<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    try {
      const response = await fetch(path, {
        method,
        cache: 'no-store',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as unknown;
      if (response.ok) return { ok: true, body: answer as T };
      if (response.status === 401 && path !== SESSION) this.#onSignedOut();
      return toRefusal(response, answer);
    } catch {
      return { ok: false, status: 0, code: '', message: '', fields: [], retryAfterSeconds: 0 };
    }
  }
}

function toRefusal(response: Response, answer: unknown): Refusal {
  const { error } = answer as { error?: { code?: string; message?: string; fields?: FieldProblem[] } };
  return {
    ok: false,
    status: response.status,
    code: error?.code ?? '',
    message: error?.message ?? '',
    fields: error?.fields ?? [],
    retryAfterSeconds: Number(response.headers.get('retry-after') ?? 0),
  };
}
