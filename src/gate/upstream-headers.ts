/**
 * Builds the headers for the site behind the gate: the visitor's headers without hop-by-hop headers and without any header
 * that claims an identity, a client address or another request. Only the gate sets those.
 */
import { CDN_HEADER, RELEASE_HEADER } from './decision/pass-headers.ts';

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
const ESSENTIAL = new Set(['authorization', 'cookie', 'host', 'origin', 'referer', CDN_HEADER]);
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

/** Whether only our own servers may send this header. Client address headers are handled apart. */
export function isSpoof(name: string): boolean {
  const plain = plainName(name);
  return plain === CDN_HEADER || SPOOFS.has(plain) || SPOOF_PREFIXES.some((prefix) => plain.startsWith(prefix));
}

/** `added`: headers of the gate itself; they replace any of the same name. */
export function toUpstreamHeaders(raw: RawHeaders, origin: Origin, added: Record<string, string> = {}): string[] {
  const named = namedByConnection(raw);
  const forwarded: Record<string, string> = {};
  const kept: string[] = [];
  let cookies: string | undefined;
  let host = '';
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const { plain, use } = kindOf(raw[at]!);
    const value = raw[at + 1]!;
    if (use === 'forwarded') {
      if (origin.isTrusted) forwarded[plain] = join(forwarded[plain], value);
      continue;
    }
    if (use === 'dropped' || (use === 'cdn' && !origin.isVerifiedByCdn) || Object.hasOwn(added, plain)) continue;
    if (named !== NONE && named.has(plain) && !isEssential(plain)) continue;
    // In one header, as the gate has read them: some servers take the first of several.
    if (use === 'cookie') cookies = cookies === undefined ? value : `${cookies}; ${value}`;
    else kept.push(raw[at]!, value);
    if (use === 'host') host = value;
  }
  if (cookies !== undefined) kept.push('cookie', cookies);
  kept.push('x-forwarded-for', join(forwarded['x-forwarded-for'], origin.address));
  kept.push('x-forwarded-host', forwarded['x-forwarded-host'] ?? host);
  kept.push('x-forwarded-proto', forwarded['x-forwarded-proto'] ?? 'http');
  const port = forwarded['x-forwarded-port'];
  if (port !== undefined) kept.push('x-forwarded-port', port);
  for (const name in added) kept.push(name, added[name]!);
  return kept;
}

/** The visitor's headers that any gate passes on: those that `toUpstreamHeaders` keeps from an untrusted peer. */
export function toKeptHeaders(raw: RawHeaders): [string, string][] {
  const named = namedByConnection(raw);
  const isKept = (name: string) => {
    const { plain, use } = kindOf(name);
    if (use === 'dropped' || use === 'forwarded' || use === 'cdn') return false;
    return !named.has(plain) || isEssential(plain);
  };
  const kept: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) if (isKept(raw[at]!)) kept.push([raw[at]!, raw[at + 1]!]);
  return kept;
}

/** `withheld`: names in lower case of headers whose secrets are for the gate only. */
export function withoutHeaders(raw: string[], withheld: readonly string[] = []): string[] {
  if (withheld.length === 0) return raw;
  return raw.filter((_, at) => !withheld.includes(raw[at - (at % 2)]!.toLowerCase()));
}

/** The headers of the site's response, without hop-by-hop headers and those that are meant for the gate. */
export function toVisitorHeaders(raw: RawHeaders): string[] {
  const named = namedByConnection(raw);
  const visible: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!;
    const { isVisible, lower } = kindOf(name);
    if (isVisible && (named === NONE || !named.has(lower))) visible.push(name, raw[at + 1]!);
  }
  return visible;
}

interface NameKind {
  lower: string;
  /** In lower case and with dashes for underscores. */
  plain: string;
  /** What happens to it in a request. */
  use: 'kept' | 'dropped' | 'forwarded' | 'cdn' | 'cookie' | 'host';
  /** Whether a visitor sees it in a response. */
  isVisible: boolean;
}

/** Few different names are sent, each in few spellings, so each is classified once. */
const kinds = new Map<string, NameKind>();
const KINDS_AT_MOST = 1_000;
const LONGEST_KNOWN = 64;

function kindOf(name: string): NameKind {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const kind = classify(name);
  if (name.length <= LONGEST_KNOWN) {
    if (kinds.size >= KINDS_AT_MOST) kinds.clear();
    kinds.set(name, kind);
  }
  return kind;
}

function classify(name: string): NameKind {
  const lower = name.toLowerCase();
  const plain = plainName(name);
  const isVisible = !HOP_BY_HOP.has(lower) && lower !== RELEASE_HEADER;
  return { lower, plain, use: useOf(name, plain), isVisible };
}

function useOf(name: string, plain: string): NameKind['use'] {
  // CGI-style servers read `X_User_Id` as `X-User-Id`, so a name with an underscore could stand for any header.
  if (name.includes('_')) return 'dropped';
  if (FORWARDED.has(plain)) return 'forwarded';
  if (HOP_BY_HOP.has(plain)) return 'dropped';
  if (plain === CDN_HEADER) return 'cdn';
  if (isSpoof(plain) || CLIENT_ADDRESS.has(plain) || plain.startsWith(FORWARDED_PREFIX)) return 'dropped';
  return plain === 'cookie' || plain === 'host' ? plain : 'kept';
}

function isEssential(plain: string): boolean {
  return ESSENTIAL.has(plain) || ESSENTIAL_PREFIXES.some((prefix) => plain.startsWith(prefix));
}

/** CGI-style servers map `X_User_Id` and `X-User-Id` to the same variable. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** `close` and `keep-alive` name no header. */
const NONE: ReadonlySet<string> = new Set();
const NAMES_NONE = /^(?:close|keep-alive)$/i;

function namedByConnection(raw: RawHeaders): ReadonlySet<string> {
  let named: Set<string> | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (kindOf(raw[at]!).lower !== 'connection' || NAMES_NONE.test(raw[at + 1]!)) continue;
    named ??= new Set();
    for (const name of raw[at + 1]!.toLowerCase().split(',')) named.add(name.trim());
  }
  return named ?? NONE;
}

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}
