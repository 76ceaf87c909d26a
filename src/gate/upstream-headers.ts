/**
 * Builds the headers for the site behind the gate: the visitor's headers without hop-by-hop headers and without any header
 * that claims an identity, a client address or another request. Only the gate sets those.
 */
import { RELEASE_HEADER } from './decision/pass-headers.ts';

export interface Origin {
  /** IP address of the peer. */
  address: string;
  /** Whether the peer is in TRUST_PROXY, so its X-Forwarded headers are kept. */
  isTrusted: boolean;
  /** `X-CloudFront-Verified` carries the configured secret. */
  isVerifiedByCdn: boolean;
}

/** Names and values alternating, as in Node's rawHeaders. */
export type RawHeaders = readonly string[];

const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  // Not a hop-by-hop header: CGI programs read it as HTTP_PROXY, the proxy for their own requests.
  'proxy',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * A `Connection` header must not name these. Without them the site would see another request than the gate: another host,
 * no credentials, a body of another length or type.
 */
const ESSENTIAL = new Set(['authorization', 'cookie', 'host', 'origin', 'referer', 'x-cloudfront-verified']);
const ESSENTIAL_PREFIXES = ['content-', 'sec-', 'x-fairline-', 'x-forwarded-', 'x-queue-'];

/** Kept from a trusted proxy, overwritten for any other peer. */
const FORWARDED = new Set(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto']);

/** Other headers that claim a client address. Always dropped. */
const CLIENT_ADDRESS = new Set([
  'cf-connecting-ip',
  'client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'forwarded',
  'forwarded-for',
  'true-client-ip',
  'wl-proxy-client-ip',
  'x-azure-clientip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-forwarded',
  'x-host',
  'x-originating-ip',
  'x-real-ip',
  'x-remote-addr',
  'x-remote-ip',
]);

/**
 * Headers that claim an identity, or that some frameworks read as another method or path. CGI programs read `Proxy` as
 * the variable HTTP_PROXY.
 */
const SPOOFS = new Set([
  'proxy',
  'remote-user',
  'x-authenticated-user',
  'x-remote-user',
  'x-user',
  'x-user-email',
  'x-user-id',
  'x-user-role',
  'x-webauth-user',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-method',
  'x-original-uri',
  'x-original-url',
  'x-rewrite-url',
  'x-forwarded-method',
  'x-forwarded-prefix',
  'x-forwarded-uri',
  'x-forwarded-user',
]);
/** `x-middleware-…`: steps of a framework that it skips if the header names them. */
const SPOOF_PREFIXES = ['x-fairline-', 'x-auth-request-', 'x-middleware-', 'ssl-client-', 'x-ssl-client-'];
const FORWARDED_PREFIX = 'x-forwarded-';
const CDN_HEADER = 'x-cloudfront-verified';

/** Whether only our own servers may send this header. Client address headers are handled apart. */
export function isSpoof(name: string): boolean {
  const plain = plainName(name);
  return plain === CDN_HEADER || SPOOFS.has(plain) || SPOOF_PREFIXES.some((prefix) => plain.startsWith(prefix));
}

/** `added`: headers of the gate itself; they replace any of the same name. */
export function toUpstreamHeaders(raw: RawHeaders, origin: Origin, added: Record<string, string> = {}): string[] {
  const named = namedByConnection(raw);
  const forwarded = new Map<string, string>();
  const kept: string[] = [];
  const cookies: string[] = [];
  let host = '';
  for (const [name, value] of pairs(raw)) {
    const plain = plainName(name);
    // CGI-style servers read `X_User_Id` as `X-User-Id`, so a name with an underscore could stand for any header.
    if (name.includes('_')) continue;
    if (FORWARDED.has(plain) && origin.isTrusted) forwarded.set(plain, join(forwarded.get(plain), value));
    else if (isDropped(plain, named, added, origin)) continue;
    else if (plain === 'cookie') cookies.push(value);
    else kept.push(name, value);
    if (plain === 'host') host = value;
  }
  // In one header, as the gate has read them: some servers take the first of several.
  if (cookies.length > 0) kept.push('cookie', cookies.join('; '));
  const port = forwarded.get('x-forwarded-port');
  const ours = {
    'x-forwarded-for': join(forwarded.get('x-forwarded-for'), origin.address),
    'x-forwarded-host': forwarded.get('x-forwarded-host') ?? host,
    'x-forwarded-proto': forwarded.get('x-forwarded-proto') ?? 'http',
    ...(port === undefined ? {} : { 'x-forwarded-port': port }),
  };
  return [...kept, ...Object.entries(ours).flat(), ...Object.entries(added).flat()];
}

/** The visitor's headers that any gate passes on: those that `toUpstreamHeaders` keeps from an untrusted peer. */
export function toKeptHeaders(raw: RawHeaders): [string, string][] {
  const dropped = namedByConnection(raw);
  const stranger = { address: '', isTrusted: false, isVerifiedByCdn: false };
  // CGI-style servers read a name with an underscore as another header.
  const isKept = (name: string) => !name.includes('_') && !isDropped(plainName(name), dropped, {}, stranger);
  return pairs(raw).filter(([name]) => isKept(name));
}

/** `withheld`: names in lower case of headers whose secrets are for the gate only. */
export function withoutHeaders(raw: string[], withheld: readonly string[] = []): string[] {
  if (withheld.length === 0) return raw;
  return pairs(raw)
    .filter(([name]) => !withheld.includes(name.toLowerCase()))
    .flat();
}

/** The headers of the site's response, without hop-by-hop headers and those that are meant for the gate. */
export function toVisitorHeaders(raw: RawHeaders): string[] {
  const dropped = namedByConnection(raw);
  return pairs(raw)
    .filter(([name]) => {
      const plain = name.toLowerCase();
      return !HOP_BY_HOP.has(plain) && !dropped.has(plain) && plain !== RELEASE_HEADER;
    })
    .flat();
}

function isDropped(plain: string, named: ReadonlySet<string>, added: Record<string, string>, origin: Origin): boolean {
  if (HOP_BY_HOP.has(plain) || plain in added) return true;
  if (named.has(plain) && !isEssential(plain)) return true;
  if (plain === CDN_HEADER) return !origin.isVerifiedByCdn;
  return isSpoof(plain) || CLIENT_ADDRESS.has(plain) || plain.startsWith(FORWARDED_PREFIX);
}

function isEssential(plain: string): boolean {
  return ESSENTIAL.has(plain) || ESSENTIAL_PREFIXES.some((prefix) => plain.startsWith(prefix));
}

/** CGI-style servers map `X_User_Id` and `X-User-Id` to the same variable. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

function namedByConnection(raw: RawHeaders): ReadonlySet<string> {
  const values = pairs(raw).filter(([name]) => name.toLowerCase() === 'connection');
  return new Set(values.flatMap(([, value]) => value.toLowerCase().split(',')).map((name) => name.trim()));
}

function pairs(raw: RawHeaders): [string, string][] {
  const all: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) all.push([raw[at]!, raw[at + 1]!]);
  return all;
}

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}
