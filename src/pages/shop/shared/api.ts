/** Calls the API. A refusal is a value with the code of the error. */

export type Answer<T> = { ok: true; status: number; value: T } | { ok: false; problem: Problem };

export interface Problem {
  /** `OFFLINE`: no response. */
  code: string;
  message: string;
  retryAfter: number | undefined;
  redirectTo: string | undefined;
  /** Whether the same request may succeed later: the server is away or busy. */
  isTemporary: boolean;
}

const TIMEOUT_MS = 15_000;
const OFFLINE: Problem = {
  code: 'OFFLINE',
  message: '',
  retryAfter: undefined,
  redirectTo: undefined,
  isTemporary: true,
};

export async function send<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  key?: string,
): Promise<Answer<T>> {
  try {
    const response = await fetch(path, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (response.ok) return { ok: true, status: response.status, value: answer as T };
    const retryAfter = Number(response.headers.get('retry-after')) || undefined;
    const { code = 'UNKNOWN', message = '', retryable: isTemporary = response.status >= 500 } = answer.error ?? {};
    return { ok: false, problem: { code, message, retryAfter, redirectTo: answer.redirectTo, isTemporary } };
  } catch {
    return { ok: false, problem: OFFLINE };
  }
}

/** An idempotency key. Not randomUUID, which browsers offer on HTTPS only. */
export function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
