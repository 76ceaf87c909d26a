/**
 * The runtime of `fairline/client`, on Web APIs only. The build makes its types and the table of its operations from the
 * OpenAPI document (scripts/build-client.mjs).
 */
import { type PollOptions, type PollState, poll } from './poll.ts';
import { type StreamOptions, stream } from './stream.ts';
import type { StreamEvent } from './stream-events.ts';
import { type ClientOptions, Transport } from './transport.ts';

/** How an operation becomes a request. Input that is neither in the path nor a header goes into the query. */
export interface OperationRoute {
  method: string;
  /** `/api/queue/check/{eventId}`. */
  path: string;
  headers?: readonly string[];
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** What a client has besides the operations. */
export interface LineClient<Answer> {
  /** Joins the line and polls at the pace that the server asks for, until the visitor is inside or the place is gone. */
  poll(eventId: string, options?: PollOptions): AsyncGenerator<Answer, void, undefined>;
  /** Joins the line and follows it live; connects again by itself. */
  stream(eventId: string, options?: StreamOptions): AsyncGenerator<StreamEvent, void, undefined>;
  /** Outside browsers: the visitor's cookies, as a Cookie header for a request to the protected site. */
  cookieHeader(): string;
}

type Input = Readonly<Record<string, unknown>> & { body?: unknown };

export function createTypedClient<Operations extends object, Answer extends PollState>(
  routes: Readonly<Record<string, OperationRoute>>,
  options: ClientOptions = {},
): Operations & LineClient<Answer> {
  const transport = new Transport(options);
  const operations = Object.entries(routes).map(([name, route]) => [
    name,
    (input: Input = {}, { signal, headers }: CallOptions = {}) => {
      const request = toRequest(route, input);
      return transport.ask({ ...request, headers: { ...request.headers, ...headers }, body: input.body, signal });
    },
  ]);
  return {
    ...(Object.fromEntries(operations) as Operations),
    poll: (eventId, pollOptions) => poll<Answer>(transport, eventId, pollOptions),
    stream: (eventId, streamOptions) => stream(transport, eventId, streamOptions),
    cookieHeader: () => transport.cookies.toHeader(),
  };
}

function toRequest({ method, path: template, headers: headerNames = [] }: OperationRoute, input: Input) {
  const { body: _, ...rest } = input;
  const given = new Map(Object.entries(rest).filter(([, value]) => value !== undefined));
  const take = (name: string): string | undefined => {
    const value = given.get(name);
    given.delete(name);
    return value === undefined ? undefined : String(value);
  };
  const path = template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = take(name);
    // An empty segment or a dot would lead to another endpoint.
    if (value === undefined || /^\.{0,2}$/.test(value))
      throw new TypeError(`${method} ${template}: ${name} is missing`);
    return encodeURIComponent(value);
  });
  const headers: Record<string, string> = {};
  for (const name of headerNames) {
    const value = take(name);
    if (value !== undefined) headers[name] = value;
  }
  const pairs = [...given].flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  const query = new URLSearchParams(pairs).toString();
  return { method, path: query === '' ? path : `${path}?${query}`, headers };
}
