/** The head of the site's response as the guard sees it. The headers are only read if somebody looks at them. */
import type { Headers } from '../decision/gate-request.ts';
import type { SiteResponse } from '../guard.ts';
import type { ResponseHead } from './response-parser.ts';

const EVENT_STREAM = 'text/event-stream';

export class SeenResponse implements SiteResponse {
  readonly durationMs: number;
  readonly #head: ResponseHead;
  #headers: Headers | undefined;

  constructor(head: ResponseHead, durationMs: number) {
    this.#head = head;
    this.durationMs = durationMs;
  }

  get status(): number {
    return this.#head.status;
  }

  get headers(): Headers {
    this.#headers ??= toRecord(this.#head.headers);
    return this.#headers;
  }

  get isEventStream(): boolean {
    const { headers } = this.#head;
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at]!;
      if (name.length !== 'content-type'.length || name.toLowerCase() !== 'content-type') continue;
      return headers[at + 1]!.toLowerCase().startsWith(EVENT_STREAM);
    }
    return false;
  }
}

/** Keyed by lower-case name. A header that occurs several times is a list. */
function toRecord(raw: readonly string[]): Headers {
  const record: Record<string, string | string[]> = Object.create(null);
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    const before = record[name];
    record[name] = before === undefined ? raw[at + 1]! : [before, raw[at + 1]!].flat();
  }
  return record;
}
