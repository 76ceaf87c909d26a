/** Asks the server; what it refuses is a value, by the code of the error. */

export type Answer<T> = { ok: true; status: number; value: T } | { ok: false; problem: Problem };

export interface Problem {
  /** `OFFLINE`: nobody answered. */
  code: string;
  message: string;
  retryAfter: number | undefined;
  redirectTo: string | undefined;
}

const TIMEOUT_MS = 15_000;

export async function ask<T>(method: 'GET' | 'POST', path: string, body?: unknown, key?: string): Promise<Answer<T>> {
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
    const { code = 'UNKNOWN', message = '' } = answer.error ?? {};
    return { ok: false, problem: { code, message, retryAfter, redirectTo: answer.redirectTo } };
  } catch {
    return { ok: false, problem: { code: 'OFFLINE', message: '', retryAfter: undefined, redirectTo: undefined } };
  }
}

/** For a request that may have to be sent twice. Not randomUUID, which plain HTTP does not have. */
export function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
