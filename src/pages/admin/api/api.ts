/** Calls the operator API. Refusals are values; a 401 reports that the session has ended. */
import type { Language } from '../../texts/language.ts';
import { type Problem, problemText } from '../../texts/problem-text.ts';

/** Its message is in the reader's language. */
export type FieldProblem = Problem;
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
  readonly #language: Language;

  constructor(onSignedOut: () => void, language: Language) {
    this.#onSignedOut = onSignedOut;
    this.#language = language;
  }

  get<T>(path: string): Promise<Answer<T>> {
    return this.#send<T>('GET', path);
  }

  put<T>(path: string, body: unknown): Promise<Answer<T>> {
    return this.#send<T>('PUT', path, body);
  }

  /** Sends a file as it is. */
  putFile<T>(path: string, file: Blob): Promise<Answer<T>> {
    return this.#send<T>('PUT', path, file);
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
        ...toContent(body),
      });
      const answer = (await response.json()) as unknown;
      if (response.ok) return { ok: true, body: answer as T };
      if (response.status === 401 && path !== SESSION) this.#onSignedOut();
      return toRefusal(response, answer, this.#language);
    } catch {
      return { ok: false, status: 0, code: '', message: '', fields: [], retryAfterSeconds: 0 };
    }
  }
}

function toContent(body: unknown): RequestInit {
  if (body === undefined) return {};
  if (body instanceof Blob) return { headers: { 'content-type': body.type }, body };
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function toRefusal(response: Response, answer: unknown, language: Language): Refusal {
  const { error } = answer as { error?: { code?: string; message?: string; fields?: FieldProblem[] } };
  const fields = (error?.fields ?? []).map((problem) => ({ ...problem, message: problemText(problem, language) }));
  return {
    ok: false,
    status: response.status,
    code: error?.code ?? '',
    message: fields[0]?.message ?? error?.message ?? '',
    fields,
    retryAfterSeconds: Number(response.headers.get('retry-after') ?? 0),
  };
}
