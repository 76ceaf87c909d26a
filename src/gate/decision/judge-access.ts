/**
 * Applies access entries, bans and ejections to a request. Pure: the client address, the verdict about a crawler and the
 * keys are given. What is not given never matches an entry that lets pass.
 */
import { readCookie } from '../../platform/http-server/cookies.ts';
import { type AccessEntry, type Crawler, type SecretCondition, toRanges } from './access-entries.ts';
import { type Address, parseAddress, RangeMap } from './address-ranges.ts';
import { canonicalOf, readingsOf } from './event-spellings.ts';
import type { GateRequest, VerificationKeys } from './gate-request.ts';
import { createMatcher, type Matcher } from './match-rule.ts';
import { findOtherReading } from './other-readings.ts';
import { PASS_COOKIE } from './staff-pass.ts';

export interface Ban {
  /** undefined: everywhere. */
  eventId?: string | undefined;
  visitor?: string | undefined;
  addresses?: readonly string[] | undefined;
  /** undefined: for ever. */
  expiresAt?: number | undefined;
}

/** An admission that an operator ended. Its token is not accepted any more. */
export interface Ejection {
  eventId: string;
  visitor: string;
  tokenId: string;
}

export interface AccessLists {
  entries: readonly AccessEntry[];
  bans: readonly Ban[];
  ejections: readonly Ejection[];
  revokedPasses: readonly string[];
}

export const bypassKinds = ['pass', 'header', 'cookie', 'crawler', 'address', 'method', 'path'] as const;
export type BypassKind = (typeof bypassKinds)[number];

/** Why a request passed without tokens. */
export interface Bypass {
  kind: BypassKind;
  /** The id of the entry or of the staff pass. */
  entry: string;
  eventId: string | undefined;
}

/** A request, read by decide. */
export interface AccessQuestion {
  request: Pick<GateRequest, 'headers' | 'address' | 'crawler'> & { method: string };
  segments: readonly string[];
  query: string;
  keys: Pick<VerificationKeys, 'digest' | 'staffPass'>;
  now: number;
}

export interface Banned {
  /** Infinity: for ever. */
  until: number;
}

export interface AccessJudge {
  /** Names, in lower case, of headers that carry secrets. */
  readonly secretHeaders: readonly string[];
  /** Names of cookies that carry secrets. */
  readonly secretCookies: readonly string[];
  /** Crawlers that some entry names. */
  readonly crawlers: ReadonlySet<Crawler>;
  readonly hasBlocks: boolean;
  /** Whether anybody is banned, or some event is open to some only. */
  readonly excludesSome: boolean;
  isBlocked(question: AccessQuestion, eventId: string | undefined): boolean;
  /** False only if the event is open to some, and not to this request. */
  isAllowed(question: AccessQuestion, eventId: string): boolean;
  /** Bypasses need the very event that an entry names; refusals also hold for other spellings of it. */
  findBypass(question: AccessQuestion, eventId: string | undefined): Bypass | undefined;
  findBan(eventId: string | undefined, who: { visitor?: string | undefined } & BanFacts): Banned | undefined;
  /** `tokenId`: undefined if it is not known, then any ejection of the visitor counts. */
  isEjected(eventId: string, visitor: string, tokenId: string | undefined): boolean;
}

interface BanFacts {
  address: string | undefined;
  now: number;
}

interface Compiled {
  entry: AccessEntry;
  kind: BypassKind;
  ranges: RangeMap<true> | undefined;
  /** Of paths and methods. */
  match: Matcher | undefined;
}

const EVERYWHERE = '*';

export function createAccessJudge({ entries, bans, ejections, revokedPasses }: AccessLists): AccessJudge {
  const bypasses = indexByEvent(entries.filter(({ effect }) => effect === 'bypass').map(compile), exactly);
  const blocks = indexByEvent(entries.filter(({ effect }) => effect === 'block').map(compile), inAllSpellings);
  const allowed = indexByEvent(entries.filter(({ effect }) => effect === 'allow-only').map(compile), inAllSpellings);
  const banned = new BanIndex(bans);
  const ejected = new Set(
    ejections.flatMap(({ eventId, visitor, tokenId }) => [
      ejectionKey(eventId, visitor),
      ejectionKey(eventId, visitor, tokenId),
    ]),
  );
  const revoked = new Set(revokedPasses);
  const readingsIn = (index: ReadonlyMap<string, unknown>, eventId: string | undefined) =>
    index.size === 0 || eventId === undefined ? [] : [...new Set([eventId, ...readingsOf(eventId)])];

  return {
    secretHeaders: namesOf(entries, ({ header }) => header?.name.toLowerCase()),
    secretCookies: namesOf(entries, ({ cookie }) => cookie?.name),
    crawlers: new Set(entries.flatMap(({ crawler = [] }) => crawler)),
    hasBlocks: blocks.size > 0,
    excludesSome: banned.events.size > 0 || allowed.size > 0,
    isBlocked(question, eventId) {
      for (const key of [EVERYWHERE, ...readingsIn(blocks, eventId)]) {
        if (blocks.get(key)?.some((one) => holds(one, question))) return true;
      }
      return false;
    },
    isAllowed(question, eventId) {
      for (const key of readingsIn(allowed, eventId)) {
        const some = allowed.get(key)?.filter(({ entry }) => isInForce(entry, question.now)) ?? [];
        if (some.length > 0 && !some.some((one) => holds(one, question))) return false;
      }
      return true;
    },
    findBypass(question, eventId) {
      const candidates = [...(bypasses.get(EVERYWHERE) ?? []), ...((eventId && bypasses.get(eventId)) || [])];
      const found = candidates.find((one) => holds(one, question));
      if (found !== undefined) return { kind: found.kind, entry: found.entry.id, eventId };
      return findStaffPass(question, eventId, revoked);
    },
    findBan(eventId, who) {
      if (banned.events.size === 0) return undefined;
      return banned.find([EVERYWHERE, ...readingsIn(banned.events, eventId)], who);
    },
    isEjected: (eventId, visitor, tokenId) => ejected.size > 0 && ejected.has(ejectionKey(eventId, visitor, tokenId)),
  };
}

/** Neither ids nor visitors have line breaks. */
function ejectionKey(eventId: string, visitor: string, tokenId = ''): string {
  return `${eventId}\n${visitor}\n${tokenId}`;
}

/** A pass names its events. Where the request names none, a pass for one event does. */
function findStaffPass(
  { request, keys, now }: AccessQuestion,
  eventId: string | undefined,
  revoked: ReadonlySet<string>,
): Bypass | undefined {
  const token = readCookie(cookiesOf(request), PASS_COOKIE);
  const pass = token === undefined ? undefined : keys.staffPass?.(token);
  if (pass === undefined || pass.expiresAt <= now || revoked.has(pass.id)) return undefined;
  const named = eventId ?? (pass.events.length === 1 ? pass.events[0] : undefined);
  return named !== undefined && pass.events.includes(named)
    ? { kind: 'pass', entry: pass.id, eventId: named }
    : undefined;
}

function holds({ entry, ranges, match }: Compiled, question: AccessQuestion): boolean {
  const { request, keys } = question;
  if (!isInForce(entry, question.now)) return false;
  if (ranges !== undefined && !isIn(ranges, request.address)) return false;
  if (match !== undefined && !matchesRequest(entry, match, question)) return false;
  if (entry.crawler !== undefined && !entry.crawler.some((name) => name === request.crawler)) return false;
  const { header, cookie } = entry;
  if (header !== undefined && !hasSecret(header, request.headers[header.name.toLowerCase()], keys)) return false;
  return cookie === undefined || hasSecret(cookie, readCookie(cookiesOf(request), cookie.name), keys);
}

/** An entry that lets pass matches only as written; one that refuses also matches what a site may read as its paths. */
function matchesRequest({ effect, methods }: AccessEntry, match: Matcher, question: AccessQuestion): boolean {
  const { segments, query, request } = question;
  const matched = match(request.method, segments);
  if (matched.outcome === 'rule') return true;
  if (effect !== 'block') return false;
  if (methods === undefined && matched.outcome === 'method-not-listed') return true;
  return findOtherReading({ method: request.method, segments, query }, matched, match) !== undefined;
}

function hasSecret(
  { secret }: SecretCondition,
  given: string | string[] | undefined,
  keys: Pick<VerificationKeys, 'digest'>,
): boolean {
  if (typeof given !== 'string' || !('hash' in secret)) return false;
  const digest = keys.digest?.(given);
  return digest !== undefined && isSameText(digest, secret.hash);
}

/** Compares digests in constant time, so that nothing about the secret can be learned from the time it takes. */
function isSameText(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index += 1) difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}

function compile(entry: AccessEntry): Compiled {
  const { addresses, methods, paths } = entry;
  let ranges: RangeMap<true> | undefined;
  if (addresses !== undefined) {
    ranges = new RangeMap();
    for (const range of toRanges(addresses)) ranges.add(range, true, () => true);
  }
  const match = methods === undefined && paths === undefined ? undefined : compilePaths(entry);
  return { entry, kind: kindOf(entry), ranges, match };
}

function compilePaths({ effect, methods, paths = ['/**'] }: AccessEntry): Matcher {
  const rules = paths.map((path) => ({
    path,
    ...(methods === undefined ? {} : { methods }),
    require: effect === 'block' ? ('entry' as const) : ('none' as const),
    event: { from: 'token' } as const,
    answer: 'api' as const,
    strict: false,
  }));
  return createMatcher({ rules, otherwise: 'pass' });
}

/** By the condition that is hardest to meet. */
function kindOf({ header, cookie, crawler, addresses, methods }: AccessEntry): BypassKind {
  if (header !== undefined) return 'header';
  if (cookie !== undefined) return 'cookie';
  if (crawler !== undefined) return 'crawler';
  if (addresses !== undefined) return 'address';
  return methods === undefined ? 'path' : 'method';
}

function indexByEvent(all: readonly Compiled[], keysOf: (eventId: string) => readonly string[]) {
  const index = new Map<string, Compiled[]>();
  for (const one of all) {
    const keys = one.entry.events?.flatMap(keysOf) ?? [EVERYWHERE];
    for (const key of new Set(keys)) index.set(key, [...(index.get(key) ?? []), one]);
  }
  return index;
}

const exactly = (eventId: string): string[] => [eventId];
const inAllSpellings = (eventId: string): string[] => [eventId, canonicalOf(eventId)];

/** Bans by event, then by visitor and by range; the values are when they end. */
class BanIndex {
  readonly events = new Map<string, { visitors: Map<string, number>; ranges: RangeMap<number> }>();

  constructor(bans: readonly Ban[]) {
    for (const { eventId, visitor, addresses = [], expiresAt = Number.POSITIVE_INFINITY } of bans) {
      for (const key of eventId === undefined ? [EVERYWHERE] : inAllSpellings(eventId)) {
        const event = this.events.get(key) ?? { visitors: new Map<string, number>(), ranges: new RangeMap<number>() };
        this.events.set(key, event);
        if (visitor !== undefined) event.visitors.set(visitor, Math.max(expiresAt, event.visitors.get(visitor) ?? 0));
        for (const range of toRanges(addresses)) event.ranges.add(range, expiresAt, Math.max);
      }
    }
  }

  find(
    keys: readonly string[],
    { visitor, address, now }: { visitor?: string | undefined } & BanFacts,
  ): Banned | undefined {
    let parsed: Address | undefined;
    let until = 0;
    for (const key of keys) {
      const event = this.events.get(key);
      if (event === undefined) continue;
      if (visitor !== undefined) until = Math.max(until, event.visitors.get(visitor) ?? 0);
      if (event.ranges.isEmpty || address === undefined) continue;
      parsed ??= parseAddress(address);
      if (parsed !== undefined) for (const end of event.ranges.findAll(parsed)) until = Math.max(until, end);
    }
    return until > now ? { until } : undefined;
  }
}

function isIn(ranges: RangeMap<true>, address: string | undefined): boolean {
  const parsed = address === undefined ? undefined : parseAddress(address);
  return parsed !== undefined && ranges.has(parsed);
}

function isInForce({ expiresAt }: AccessEntry, now: number): boolean {
  return expiresAt === undefined || now < expiresAt;
}

function namesOf(entries: readonly AccessEntry[], read: (entry: AccessEntry) => string | undefined): string[] {
  return [...new Set(entries.flatMap((entry) => read(entry) ?? []))];
}

function cookiesOf({ headers: { cookie } }: Pick<GateRequest, 'headers'>): string | undefined {
  return Array.isArray(cookie) ? cookie.join('; ') : cookie;
}
