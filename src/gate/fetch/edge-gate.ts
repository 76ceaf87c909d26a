/** The gate for edge runtimes, on Web APIs only. */

import { DEFAULT_NAME } from '../../signing-keys/token-names.ts';
import type { AccessEntry, SecretCondition } from '../decision/access-entries.ts';
import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { defaultRules } from '../decision/default-rules.ts';
import type { GateRequest, VerificationKeys } from '../decision/gate-request.ts';
import { type AccessJudge, createAccessJudge } from '../decision/judge-access.ts';
import { lineRules } from '../decision/line-paths.ts';
import { createMatcher } from '../decision/match-rule.ts';
import { createReader } from '../decision/read-request.ts';
import { refuseEnded } from '../decision/refuse.ts';
import { type RuleBook, readRules } from '../decision/rules.ts';
import type { Guard } from '../guard.ts';
import { ActiveEvents, fixedEvents } from '../lookups/active-events.ts';
import { askInstance } from '../lookups/ask-line.ts';
import { fetchActiveEvents } from '../lookups/fetch-active-events.ts';
import { createLineClient } from '../lookups/line-client.ts';
import { JWKS_PATH } from '../lookups/line-keys.ts';
import { endSession, keepSession } from '../sessions/keep-session.ts';
import { reportToLine } from '../sessions/report-to-line.ts';
import { SessionKeeper } from '../sessions/session-keeper.ts';
import { type EdgeLink, openEdgeLink } from './edge-link.ts';
import { type PublicKeyDocument, WebPublicKeys } from './web-public-keys.ts';
import { createWebServiceKey } from './web-service-key.ts';
import { createWebUserTokens, type WebUsers } from './web-user-tokens.ts';
import { createWebVerificationKeys, toDigest, type WebSecrets } from './web-verification-keys.ts';

export interface EdgeGateOptions {
  /**
   * The public keys that verify tokens: the URL of a JWKS, or the JWKS itself. Absent: those of `lineUrl`. Read only when a
   * token comes that a key pair signed.
   */
  jwks?: string | PublicKeyDocument;
  /** TOKEN_ISSUER and TOKEN_AUDIENCE of the line. */
  issuer?: string;
  audience?: string;
  /** For HS256. A list supports rotation: the current secret first, then older ones that are still accepted. */
  secrets?: {
    entry?: string | readonly string[];
    vwr?: string | readonly string[];
    auth?: string | readonly string[];
    /** If this is absent but `entry` or `vwr` is set, and not `jwks`, no guests are accepted. */
    guest?: string | readonly string[];
    /** Sent to the origin as X-CloudFront-Verified, and trusted on incoming requests. */
    cdn?: string;
  };
  /** Whose tokens identify users; absent: those that your site signs with `secrets.auth` (HS256). */
  users?: WebUsers;
  /** As in a rules file; absent: the default rules. */
  rules?: unknown;
  /** The cookie that holds a user's token. */
  sessionCookie?: string;
  /** An instance that lists the active events and, for strict rules, checks admissions. */
  lineUrl?: string;
  /** SERVICE_KEY of the line; absent: derived from the current entry secret, if there is one. */
  serviceKey?: string;
  /** false: passing is no sign of life here, whatever the rules say. */
  renews?: boolean;
  /** ENTRY_COOKIE_READABLE of the line. */
  readableCookie?: boolean;
  /** Only for createMiddleware: the part of each room's failOpen rate that this process has. Default: 1, all of it. */
  failOpenShare?: number;
  /** Events that require vwr tokens, if there is no `lineUrl`. */
  vwrEvents?: readonly string[] | 'all';
  /** Replaces the runtime's fetch. */
  fetch?: typeof fetch;
  now?: () => number;
}

export type EdgeGate = (request: GateRequest) => Promise<Decision>;

export interface EdgeGuardOptions extends EdgeGateOptions {
  /** See SessionKeeperOptions. */
  withinRequests?: boolean;
}

/** The gate for adapters that also see the site's responses. */
export interface EdgeGuard extends Omit<Guard, 'begin' | 'end'> {
  /** Resolves when the line has answered what it was told about sessions. */
  settled(): Promise<void>;
}

/** For requests that require no token: verifies nothing. */
const noKeys: VerificationKeys = {
  entry: () => undefined,
  vwr: () => undefined,
  caller: () => undefined,
  device: () => undefined,
  isVerifiedByCdn: () => false,
};

/** Only the decision. */
export function createEdgeGate(options: EdgeGateOptions): EdgeGate {
  return createEdgeGuard({ ...options, withinRequests: true }).decide;
}

export function createEdgeGuard(options: EdgeGuardOptions): EdgeGuard {
  const { lineUrl, fetch: send = fetch, now = Date.now } = options;
  const book = toBook(options);
  const read = createReader(createMatcher(book));
  const readKeys = createWebVerificationKeys({
    secrets: toSecrets(options),
    publicKeys: toPublicKeys(options),
    verifyUser: toVerifyUser(options),
  });
  const activeEvents = new ActiveEvents(
    lineUrl === undefined
      ? fixedEvents(options.vwrEvents ?? [])
      : { list: () => fetchActiveEvents(lineUrl, send), now },
  );
  const rules = { read, otherwise: book.otherwise, isTier1On: (eventId: string) => activeEvents.has(eventId) };
  const askLine = lineUrl === undefined ? undefined : askInstance(lineUrl, send);
  const keeper = createKeeper(options);
  const judging = createEdgeJudge(book.access);
  const link = createLink(options);

  return {
    decide: decideHere,
    observe(pass, { status, durationMs, endsSession }) {
      if (keeper !== undefined && endsSession) endSession(pass, keeper);
      link?.health.observe(pass, pass.eventId, status, durationMs);
    },
    settled: async () => keeper?.settled(),
  };

  async function decideHere(request: GateRequest): Promise<Decision> {
    link?.touch();
    const access = await judging;
    const secretNames = { headers: access.secretHeaders, cookies: access.secretCookies };
    const isOpen = !access.hasBlocks && !requiresToken(request);
    if (isOpen) return decide(request, { ...rules, access }, noKeys, now());
    const [keys] = await Promise.all([readKeys(request, now(), secretNames), activeEvents.refresh()]);
    const decision = decide(request, { ...rules, access }, keys, now());
    if (decision.outcome !== 'pass') return (await link?.failOpen.review(decision, request, keys, access)) ?? decision;
    const kept = keeper === undefined ? decision : await keepSession(decision, request, { keeper, now });
    if (kept.outcome !== 'pass' || kept.strict === undefined || askLine === undefined) return kept;
    const standing = await askLine(kept.strict.entry, request);
    return standing === 'ended' ? refuseEnded(kept.strict, { request, target: kept.target }) : kept;
  }

  function requiresToken({ method, target }: GateRequest): boolean {
    const reading = read(method, target);
    return reading.outcome === 'clear' && reading.matched.outcome === 'rule' && reading.matched.rule.require !== 'none';
  }
}

/** Without a line, or without entry tokens, there is nothing to keep. */
function createKeeper(options: EdgeGuardOptions): SessionKeeper | undefined {
  const { lineUrl, fetch: send = fetch, now = Date.now, withinRequests = false } = options;
  const serviceKey = findServiceKey(options);
  if (lineUrl === undefined || serviceKey === undefined || options.renews === false) return undefined;
  const ask = createLineClient({ lineUrl, serviceKey, send });
  const { readableCookie = false } = options;
  return new SessionKeeper({ report: reportToLine(ask), now, withinRequests, readableCookie });
}

function createLink(options: EdgeGuardOptions): EdgeLink | undefined {
  const { lineUrl, secrets = {}, fetch: send = fetch, now = Date.now, failOpenShare: share = 1 } = options;
  const serviceKey = findServiceKey(options);
  if (lineUrl === undefined || serviceKey === undefined || options.withinRequests === true) return undefined;
  const client = createLineClient({ lineUrl, serviceKey, send });
  const [current = options.serviceKey!, ...previous] = toRing(secrets.entry);
  return openEdgeLink({ client, passSecrets: [current, ...previous], share, now });
}

/** undefined: there is neither, so the line would refuse this gate. */
function findServiceKey({ serviceKey, secrets = {} }: EdgeGateOptions): string | Promise<string> | undefined {
  const [entrySecret] = toRing(secrets.entry);
  return serviceKey ?? (entrySecret === undefined ? undefined : createWebServiceKey(entrySecret));
}

/** The rules file only: an edge runtime has no live list and verifies no crawlers. */
async function createEdgeJudge(entries: readonly AccessEntry[] = []): Promise<AccessJudge> {
  const hash = async ({ name, secret }: SecretCondition) => ({
    name,
    secret: { hash: await toDigest('text' in secret ? secret.text : '') },
  });
  const resolved = entries.map(async (entry) => ({
    ...entry,
    ...(entry.header && { header: await hash(entry.header) }),
    ...(entry.cookie && { cookie: await hash(entry.cookie) }),
  }));
  return createAccessJudge({ entries: await Promise.all(resolved), bans: [], ejections: [], revokedPasses: [] });
}

/** Names the first entry that needs what an edge runtime does not have. */
function findUnusable(entries: readonly AccessEntry[] = []): string | undefined {
  for (const { id, header, cookie, crawler } of entries) {
    const isElsewhere = [header, cookie].some((one) => one !== undefined && !('text' in one.secret));
    if (isElsewhere) return `${id}: this runtime needs the secret itself, as secret`;
    if (crawler !== undefined) return `${id}.crawler needs DNS, which this runtime does not have`;
  }
  return undefined;
}

function toBook({ rules, lineUrl }: EdgeGateOptions): RuleBook {
  const read = rules === undefined ? { outcome: 'read' as const, book: defaultRules } : readRules(rules);
  if (read.outcome === 'invalid') {
    throw new TypeError(`Invalid gate rules: ${read.problems.map(({ message }) => message).join('; ')}`);
  }
  const unusable = findUnusable(read.book.access);
  if (unusable !== undefined) throw new TypeError(`Invalid gate rules: ${unusable}`);
  if (lineUrl !== undefined) return { ...read.book, rules: [...lineRules, ...read.book.rules] };
  if (read.book.rules.some(({ strict }) => strict)) throw new TypeError('A strict rule requires lineUrl');
  return read.book;
}

/** undefined: tokens are verified with secrets only. */
function toPublicKeys(options: EdgeGateOptions): WebPublicKeys | undefined {
  const { lineUrl, issuer = DEFAULT_NAME, audience = DEFAULT_NAME, fetch: send = fetch } = options;
  const jwks = options.jwks ?? (lineUrl === undefined ? undefined : `${lineUrl}${JWKS_PATH}`);
  return jwks === undefined ? undefined : new WebPublicKeys({ jwks, issuer, audience, send });
}

function toSecrets({ jwks, secrets = {}, sessionCookie = 'fairline-session' }: EdgeGateOptions): WebSecrets {
  return {
    entry: toRing(secrets.entry),
    vwr: toRing(secrets.vwr),
    auth: toRing(secrets.auth),
    guest: toRing(secrets.guest),
    guestsWelcome: secrets.guest !== undefined || jwks !== undefined || !(secrets.entry ?? secrets.vwr),
    cdn: secrets.cdn,
    sessionCookie: { name: sessionCookie },
  };
}

function toVerifyUser({ users, secrets, fetch: send = fetch, now = Date.now }: EdgeGateOptions) {
  return users && createWebUserTokens({ users, secrets: toRing(secrets?.auth), fetch: send, now });
}

function toRing(value: string | readonly string[] = []): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}
