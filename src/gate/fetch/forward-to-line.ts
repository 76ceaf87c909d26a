/**
 * Forwards a request about waiting from an application to the line, for the middleware: the waiting pages then work under
 * the host name of the site without a rule in another proxy. Typed structurally, on Web APIs only.
 */
import type { Headers as RequestHeaders } from '../decision/gate-request.ts';
import { toErrorAnswer } from '../decision/refusal-answer.ts';
import { toKeptHeaders } from '../upstream-headers.ts';

export interface ForwardedRequest {
  method?: string | undefined;
  headers: RequestHeaders;
  rawHeaders?: string[] | undefined;
  socket?: { remoteAddress?: string | undefined; encrypted?: boolean } | undefined;
}

export interface ForwardedResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  appendHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
  write?(chunk: Uint8Array): boolean;
  on?(event: 'close', listener: () => void): unknown;
  once?(event: 'drain' | 'close', listener: () => void): unknown;
  destroy?(): unknown;
  headersSent?: boolean;
}

export interface ForwardOptions {
  lineUrl: string;
  /** The normalized target of the decision. */
  target: string;
  fetch: typeof fetch;
}

/** From sending the request to the head of the response. Streams last longer. */
const HEAD_TIMEOUT_MS = 10_000;
/** fetch has decoded the body, and the application's server frames it. */
const NOT_PASSED_ON = new Set(['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding']);

export async function forwardToLine(
  request: ForwardedRequest,
  response: ForwardedResponse,
  { lineUrl, target, fetch: send }: ForwardOptions,
): Promise<void> {
  const gone = new AbortController();
  response.on?.('close', () => gone.abort());
  const timer = setTimeout(() => gone.abort(), HEAD_TIMEOUT_MS);
  const { method = 'GET' } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    const answer = await send(`${lineUrl}${target}`, {
      method,
      headers: toLineHeaders(request),
      redirect: 'manual',
      signal: gone.signal,
      ...(hasBody ? { body: request as unknown as ReadableStream, duplex: 'half' as const } : {}),
    });
    clearTimeout(timer);
    await passOn(answer, response);
  } catch {
    clearTimeout(timer);
    if (response.headersSent === true) return void response.destroy?.();
    const { status, headers, body } = toErrorAnswer(502, 'UPSTREAM_UNREACHABLE', { retryAfterSeconds: 5 });
    response.writeHead(status, headers);
    response.end(body);
  }
}

/** The application's peer is appended, so the line, which trusts the application, finds the right client address. */
function toLineHeaders({ headers, rawHeaders, socket }: ForwardedRequest): Headers {
  const raw = rawHeaders ?? Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
  const kept = new Headers(toKeptHeaders(raw));
  kept.set('accept-encoding', 'identity');
  const chain = [headers['x-forwarded-for'], socket?.remoteAddress].flat().filter((part) => part !== undefined);
  if (chain.length > 0) kept.set('x-forwarded-for', chain.join(', '));
  kept.set('x-forwarded-host', String(headers['x-forwarded-host'] ?? headers.host ?? ''));
  kept.set('x-forwarded-proto', String(headers['x-forwarded-proto'] ?? (socket?.encrypted ? 'https' : 'http')));
  return kept;
}

async function passOn(answer: Response, response: ForwardedResponse): Promise<void> {
  for (const [name, value] of answer.headers) {
    if (!NOT_PASSED_ON.has(name)) response.appendHeader(name, value);
  }
  response.writeHead(answer.status, {});
  if (answer.body !== null) {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) await write(response, chunk);
  }
  response.end();
}

/** Waits for a slow reader. A reader that is gone aborts the request, and with it the loop. */
function write(response: ForwardedResponse, chunk: Uint8Array): Promise<void> | undefined {
  if (response.write?.(chunk) !== false) return undefined;
  return new Promise((resolve) => {
    response.once?.('drain', resolve);
    response.once?.('close', resolve);
  });
}
