/**
 * The headers that the site behind the gate gets: what the visitor sent, less what is between two hops only, and less
 * everything by which a site may be told who is asking, from where, or for what. Such things are said by the gate alone.
 */
export interface Origin {
  /** Address of whoever is connected to the gate. */
  address: string;
  /** Whether that is a proxy of ours, whose word on where a request came from counts. */
  isTrusted: boolean;
  /** `X-CloudFront-Verified` is right. */
  isVerifiedByCdn: boolean;
}

/** Names and values in turn, as Node has them raw. */
export type RawHeaders = readonly string[];

const BETWEEN_HOPS = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Believed of a proxy of ours, and made anew for everybody else. */
const WAY_HERE = new Set(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto']);

/** Where a request came from: said by the gate alone. */
const CAME_FROM = new Set([
  'cf-connecting-ip',
  'client-ip',
  'fastly-client-ip',
  'forwarded',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-originating-ip',
  'x-real-ip',
  'x-remote-addr',
  'x-remote-ip',
]);

/** Who is asking, and, as some frameworks read it, for what. */
const SPOOFS = new Set([
  'remote-user',
  'x-authenticated-user',
  'x-remote-user',
  'x-user',
  'x-user-email',
  'x-user-id',
  'x-user-role',
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
const SPOOF_PREFIXES = ['x-fairline-', 'x-auth-request-'];
const WAY_PREFIX = 'x-forwarded-';
const CDN_HEADER = 'x-cloudfront-verified';

/** Whether a header says what only servers of ours may say, other than where a request came from. */
export function isSpoof(name: string): boolean {
  const plain = plainName(name);
  return plain === CDN_HEADER || SPOOFS.has(plain) || SPOOF_PREFIXES.some((prefix) => plain.startsWith(prefix));
}

/** `added`: what the gate itself says; wins over anything of that name. */
export function toUpstreamHeaders(raw: RawHeaders, origin: Origin, added: Record<string, string> = {}): string[] {
  const dropped = namedByConnection(raw);
  const way = new Map<string, string>();
  const kept: string[] = [];
  for (const [name, value] of pairs(raw)) {
    const plain = plainName(name);
    if (WAY_HERE.has(plain) && origin.isTrusted) way.set(plain, join(way.get(plain), value));
    else if (!isDropped(plain, dropped, added, origin)) kept.push(name, value);
  }
  const host = kept[kept.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'host') + 1] ?? '';
  const wayHere = {
    'x-forwarded-for': join(way.get('x-forwarded-for'), origin.address),
    'x-forwarded-host': way.get('x-forwarded-host') ?? host,
    'x-forwarded-proto': way.get('x-forwarded-proto') ?? 'http',
    ...(way.has('x-forwarded-port') ? { 'x-forwarded-port': way.get('x-forwarded-port')! } : {}),
  };
  return [...kept, ...Object.entries(wayHere).flat(), ...Object.entries(added).flat()];
}

/** What the visitor gets of the site's answer. */
export function toVisitorHeaders(raw: RawHeaders): string[] {
  const dropped = namedByConnection(raw);
  return pairs(raw)
    .filter(([name]) => !BETWEEN_HOPS.has(name.toLowerCase()) && !dropped.has(name.toLowerCase()))
    .flat();
}

function isDropped(
  plain: string,
  dropped: ReadonlySet<string>,
  added: Record<string, string>,
  origin: Origin,
): boolean {
  if (BETWEEN_HOPS.has(plain) || dropped.has(plain) || plain in added) return true;
  if (plain === CDN_HEADER) return !origin.isVerifiedByCdn;
  return isSpoof(plain) || CAME_FROM.has(plain) || plain.startsWith(WAY_PREFIX);
}

/** Servers that make variables of headers take `X_User_Id` for `X-User-Id`. */
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
