/** A client of the stream door that collects all events. */
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

export interface StreamEvent {
  name: string;
  id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests know what they expect.
  data: any;
}

export interface EventStream {
  status: number;
  headers: Headers;
  /** The Cookie header that a browser would send next. */
  cookie: string;
  events: StreamEvent[];
  /** True once the server has ended the stream. */
  hasEnded(): boolean;
  /** The first event of this name at index `from` or later. */
  waitFor(name: string, from?: number): Promise<StreamEvent>;
  close(): void;
}

export async function openStream(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const response = await fetch(url, { headers, signal: closing.signal });
  const events: StreamEvent[] = [];
  let ended = false;
  collect(response, events).finally(() => {
    ended = true;
  });
  return {
    status: response.status,
    headers: response.headers,
    cookie: headers.cookie ?? cookiesOf(response),
    events,
    hasEnded: () => ended,
    waitFor: (name, from = 0) =>
      until(`the event ${name}`, () => events.slice(from).find((event) => event.name === name)),
    close: () => closing.abort(),
  };
}

export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ');
}

async function collect(response: Response, events: StreamEvent[]): Promise<void> {
  if (response.body === null) return;
  let text = '';
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop()!;
      events.push(...blocks.flatMap((block) => parse(block) ?? []));
    }
  } catch {
    // The test closed it.
  }
}

function parse(block: string): StreamEvent | undefined {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
  if (fields.data === undefined) return undefined;
  return { name: fields.event ?? 'message', id: fields.id, data: JSON.parse(fields.data) };
}
