/** The head of the site's response as the guard sees it. Looks at names before it makes new text of them. */

import type { ResponseHead } from '../../platform/http-client/response-parser.ts';
import { RELEASE_HEADER } from '../decision/pass-headers.ts';
import type { SiteResponse } from '../guard.ts';

const CONTENT_TYPE = 'content-type';
const EVENT_STREAM = 'text/event-stream';

export class SeenResponse implements SiteResponse {
  readonly durationMs: number;
  readonly endsSession: boolean;
  readonly #head: ResponseHead;

  constructor(head: ResponseHead, durationMs: number) {
    this.#head = head;
    this.durationMs = durationMs;
    this.endsSession = this.#find(RELEASE_HEADER) !== undefined;
  }

  get status(): number {
    return this.#head.status;
  }

  get isEventStream(): boolean {
    return this.#find(CONTENT_TYPE)?.toLowerCase().startsWith(EVENT_STREAM) ?? false;
  }

  #find(wanted: string): string | undefined {
    const { headers } = this.#head;
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at]!;
      if (name.length === wanted.length && name.toLowerCase() === wanted) return headers[at + 1]!;
    }
    return undefined;
  }
}
