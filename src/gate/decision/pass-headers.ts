/**
 * What the gate tells the site about a request that has passed: the event and the visitor of its tokens, as headers or in
 * code. Uses no Node APIs.
 */
import type { Headers } from './gate-request.ts';

/** Proves that our own CDN, a gate itself, has let the request pass. */
export const CDN_HEADER = 'x-cloudfront-verified';
export const EVENT_HEADER = 'x-fairline-event';
export const VISITOR_HEADER = 'x-fairline-visitor';
/** Marks a request that passed without having waited. */
export const PASS_HEADER = 'x-fairline-pass';
/** In a response of the site: ends the visitor's session. */
export const RELEASE_HEADER = 'x-fairline-release';

export interface AdmittedVisitor {
  /** The event of the tokens. A route whose page or body names an event must compare them. */
  eventId: string | undefined;
  /** undefined if the rule requires no entry token. */
  visitor: string | undefined;
  /** `fail-open`: the visitor has not waited, because the line could not be asked. Absent otherwise. */
  kind?: 'fail-open';
}

/** undefined if no token was required. */
export function toAdmitted({ eventId, visitor, kind }: AdmittedVisitor): AdmittedVisitor | undefined {
  if (eventId === undefined && visitor === undefined) return undefined;
  return { eventId, visitor, ...(kind === undefined ? {} : { kind }) };
}

/** The visitor is percent-encoded: an id may be in any script, a header value is ASCII. */
export function toPassHeaders({ eventId, visitor, kind }: AdmittedVisitor): Record<string, string> {
  const headers: Record<string, string> = {};
  if (eventId !== undefined) headers[EVENT_HEADER] = eventId;
  if (visitor !== undefined) headers[VISITOR_HEADER] = encodeURIComponent(visitor);
  if (kind !== undefined) headers[PASS_HEADER] = kind;
  return headers;
}

/** Reads the headers of another gate. Trust them only if that gate has proved itself. */
export function fromPassHeaders(headers: Headers): AdmittedVisitor {
  return { eventId: textOf(headers[EVENT_HEADER]), visitor: decode(textOf(headers[VISITOR_HEADER])) };
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
