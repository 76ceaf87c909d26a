/** Translates an API Gateway event (HTTP API payload 2.0, or a function URL) to a request to the application, and back. */
import type { FastifyInstance } from 'fastify';

export interface HttpEvent {
  rawPath: string;
  rawQueryString: string;
  headers: Record<string, string | undefined>;
  cookies?: string[];
  body?: string;
  isBase64Encoded: boolean;
  requestContext: { http: { method: string; sourceIp: string } };
}

export interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string>;
  cookies: string[];
  body: string;
  isBase64Encoded: false;
}

export async function answerEvent(app: FastifyInstance, event: HttpEvent): Promise<HttpAnswer> {
  const { method, sourceIp } = event.requestContext.http;
  // API Gateway compresses, so the application must not. Cookies arrive apart from the other headers.
  const { 'accept-encoding': _, ...headers } = event.headers;
  const response = await app.inject({
    method: method as 'GET',
    url: event.rawQueryString === '' ? event.rawPath : `${event.rawPath}?${event.rawQueryString}`,
    headers: event.cookies === undefined ? headers : { ...headers, cookie: event.cookies.join('; ') },
    remoteAddress: sourceIp,
    ...(event.body === undefined
      ? {}
      : { payload: Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8') }),
  });
  const { 'set-cookie': cookies = [], 'content-length': __, ...rest } = response.headers;
  return {
    statusCode: response.statusCode,
    headers: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
    cookies: [cookies].flat(),
    body: response.body,
    isBase64Encoded: false,
  };
}
