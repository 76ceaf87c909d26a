/**
 * The headers of a request that passes a gate inside an application: those of the gate itself, and none that a visitor
 * sent in their place. X-Forwarded-* and X-User-Id stay as they are: they are between the application and its own proxy.
 * Uses no Node APIs.
 */

import type { Headers } from './decision/gate-request.ts';
import { type AdmittedVisitor, CDN_HEADER, toPassHeaders } from './decision/pass-headers.ts';

export interface IncomingHeaders {
  headers: Headers;
  /** Names and values alternating, as in Node. */
  rawHeaders?: string[] | undefined;
}

const PREFIX = 'x-fairline-';
/** Some frameworks read another method or path from these than the gate has decided on. */
const OVERRIDES = new Set([
  CDN_HEADER,
  'x-forwarded-method',
  'x-forwarded-uri',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-method',
  'x-original-uri',
  'x-original-url',
  'x-rewrite-url',
]);

/** `withheld`: headers whose secrets are for the gate only. */
export function setPassHeaders(
  { headers, rawHeaders }: IncomingHeaders,
  pass: AdmittedVisitor & { withheld?: readonly string[] | undefined },
): void {
  const ours = toPassHeaders(pass);
  const fields = headers as Record<string, string | string[] | undefined>;
  const isDropped = (name: string) => isClaim(name) || pass.withheld?.includes(name.toLowerCase()) === true;
  for (const name of Object.keys(fields)) if (isDropped(name)) delete fields[name];
  Object.assign(fields, ours);
  if (rawHeaders === undefined) return;
  const kept = rawHeaders.filter((_, index) => !isDropped(rawHeaders[index - (index % 2)]!));
  rawHeaders.splice(0, rawHeaders.length, ...kept, ...Object.entries(ours).flat());
}

/** Node takes the first of several Host headers, others the last; RFC 9112 has such a request refused. */
export function hasManyHosts({ rawHeaders = [] }: IncomingHeaders): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1;
}

export const MANY_HOSTS = 'The request has more than one Host header.';

function isClaim(name: string): boolean {
  const plain = name.toLowerCase().replaceAll('_', '-');
  return plain.startsWith(PREFIX) || OVERRIDES.has(plain);
}
