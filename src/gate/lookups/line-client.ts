/** How a gate in its own process calls the line: JSON over HTTP, with the service key. Uses no Node APIs. */
export interface LineClientOptions {
  /** An instance with the role `line`. */
  lineUrl: string;
  /** A promise where Web Crypto derives it. */
  serviceKey: string | Promise<string>;
  /** Replaces the runtime's fetch. */
  send?: typeof fetch;
}

/** The line answered, but not with 2xx. */
export class LineStatusError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Throws if the line cannot be reached in time, or does not answer with 2xx: then a LineStatusError. */
export type LineClient = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>;

const LONGEST_WAIT_MS = 2_000;

export function createLineClient({ lineUrl, serviceKey, send = fetch }: LineClientOptions): LineClient {
  return async (method, path, body) => {
    const response = await send(`${lineUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${await serviceKey}`, 'content-type': 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(LONGEST_WAIT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response.status === 204 ? undefined : response.json();
    await response.body?.cancel();
    throw new LineStatusError(`${method} ${path} returned status ${response.status}`, response.status);
  };
}
