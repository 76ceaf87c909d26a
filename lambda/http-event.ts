/**
 * Translates an API Gateway event to a request to the application, and back: payload 2.0 (HTTP APIs, function URLs) and
 * payload 1.0 (REST APIs). The answer has the form that goes with the event.
 */
import type { FastifyInstance } from 'fastify';

export type HttpEvent = HttpEventV2 | HttpEventV1;
/** The form of the answer to an event. */
export type AnswerTo<Event extends HttpEvent> = Event extends HttpEventV1 ? HttpAnswerV1 : HttpAnswerV2;

export interface HttpEventV2 {
  rawPath: string;
  rawQueryString: string;
  headers: Record<string, string | undefined>;
  cookies?: string[];
  body?: string;
  isBase64Encoded: boolean;
  requestContext: { http: { method: string; sourceIp: string } };
}

/** Header names are as the client wrote them, and query parameters are decoded. */
export interface HttpEventV1 {
  httpMethod: string;
  path: string;
  headers: Record<string, string | undefined> | null;
  multiValueHeaders?: Record<string, string[] | undefined> | null;
  queryStringParameters?: Record<string, string | undefined> | null;
  multiValueQueryStringParameters?: Record<string, string[] | undefined> | null;
  body: string | null;
  isBase64Encoded: boolean;
  requestContext: { identity: { sourceIp: string } };
}

interface Answered {
  statusCode: number;
  body: string;
  isBase64Encoded: false;
}

export interface HttpAnswerV2 extends Answered {
  headers: Record<string, string>;
  cookies: string[];
}

/** A REST API knows no `cookies`. */
export interface HttpAnswerV1 extends Answered {
  multiValueHeaders: Record<string, string[]>;
}

/** What both payloads say about a request. */
interface Described {
  method: string;
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  sourceIp: string;
  body: string | undefined;
}

export async function answerEvent<Event extends HttpEvent>(
  app: FastifyInstance,
  event: Event,
): Promise<AnswerTo<Event>> {
  const { method, url, headers, sourceIp, body } = 'rawPath' in event ? describeV2(event) : describeV1(event);
  // API Gateway compresses, so the application must not.
  const { 'accept-encoding': _, ...passedOn } = headers;
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: passedOn,
    remoteAddress: sourceIp,
    ...(body === undefined ? {} : { payload: Buffer.from(body, event.isBase64Encoded ? 'base64' : 'utf8') }),
  });
  const { 'set-cookie': setCookie = [], 'content-length': __, ...rest } = response.headers;
  const fields = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]);
  const cookies = [setCookie].flat();
  const answered = { statusCode: response.statusCode, body: response.body, isBase64Encoded: false } as const;
  const answer: HttpAnswerV1 | HttpAnswerV2 =
    'rawPath' in event
      ? { ...answered, headers: Object.fromEntries(fields), cookies }
      : { ...answered, multiValueHeaders: toLists(fields, cookies) };
  return answer as AnswerTo<Event>;
}

function toLists(fields: [string, string][], cookies: string[]): Record<string, string[]> {
  const lists = Object.fromEntries(fields.map(([name, value]) => [name, [value]]));
  return cookies.length === 0 ? lists : { ...lists, 'set-cookie': cookies };
}

function describeV2({ rawPath, rawQueryString, headers, cookies, body, requestContext }: HttpEventV2): Described {
  const { method, sourceIp } = requestContext.http;
  return {
    method,
    url: rawQueryString === '' ? rawPath : `${rawPath}?${rawQueryString}`,
    // Cookies arrive apart from the other headers.
    headers: { ...toHeaders(headers), ...(cookies === undefined ? {} : { cookie: cookies.join('; ') }) },
    sourceIp,
    body,
  };
}

function describeV1(event: HttpEventV1): Described {
  const query = new URLSearchParams();
  for (const [name, values] of listsOf(event.queryStringParameters, event.multiValueQueryStringParameters)) {
    for (const value of values) query.append(name, value);
  }
  return {
    method: event.httpMethod,
    url: query.size === 0 ? event.path : `${event.path}?${query}`,
    headers: toHeaders(
      Object.fromEntries(
        // A client may send its cookies as several headers (RFC 9113, 8.2.3).
        listsOf(event.headers, event.multiValueHeaders).map(([name, values]) => [
          name,
          values.join(name.toLowerCase() === 'cookie' ? '; ' : ', '),
        ]),
      ),
    ),
    sourceIp: event.requestContext.identity.sourceIp,
    body: event.body ?? undefined,
  };
}

type Single = Record<string, string | undefined> | null | undefined;
type Multiple = Record<string, string[] | undefined> | null | undefined;

/** A test event from the console has only single values. */
function listsOf(single: Single, multiple: Multiple): [string, string[]][] {
  if (multiple) return Object.entries(multiple).map(([name, values]) => [name, values ?? []]);
  return Object.entries(single ?? {}).map(([name, value]) => [name, value === undefined ? [] : [value]]);
}

function toHeaders(headers: Record<string, string | undefined>): Record<string, string> {
  const given = Object.entries(headers).filter((field): field is [string, string] => field[1] !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]));
}
