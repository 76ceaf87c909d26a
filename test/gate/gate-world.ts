/** Everything a decision needs: real tokens and keys, visitor `mina` on device `phone`, events with tier 1 on. */

import { decide } from '../../src/gate/decision/decide.ts';
import type { Decision } from '../../src/gate/decision/decision.ts';
import { defaultRules } from '../../src/gate/decision/default-rules.ts';
import type { GateRequest } from '../../src/gate/decision/gate-request.ts';
import { createMatcher } from '../../src/gate/decision/match-rule.ts';
import { createReader } from '../../src/gate/decision/read-request.ts';
import { type RuleBook, readRules } from '../../src/gate/decision/rules.ts';
import { ActiveEvents, fixedEvents } from '../../src/gate/lookups/active-events.ts';
import { createVerificationKeys } from '../../src/gate/lookups/verification-keys.ts';
import { createIdentity } from '../../src/identity/identity.ts';
import { createEntryTokens } from '../../src/line/tokens/entry-tokens.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { createVwrTokens } from '../../src/tier1/tokens/vwr-tokens.ts';
import { secrets } from '../support/test-app.ts';
import { createTestClock } from '../support/test-clock.ts';

export const CDN_SECRET = 'cdn-secret-of-the-tests-0123456789abcdef';

export interface GateWorldOptions {
  book?: RuleBook;
  activeEvents?: readonly string[] | 'all';
  /** null: not configured. */
  cdnSecret?: string | null;
}

export function createGateWorld(options: GateWorldOptions = {}) {
  const { book = defaultRules, activeEvents = ['concert', 'other'], cdnSecret = CDN_SECRET } = options;
  const clock = createTestClock();
  const entryTokens = createEntryTokens([secrets.QUEUE_ENTRY_TOKEN_SECRET], clock);
  const vwrTokens = createVwrTokens([secrets.VWR_TOKEN_SECRET], clock);
  const identity = createIdentity({
    authSecrets: [secrets.AUTH_JWT_SECRET],
    guestKeys: [secrets.GUEST_SECRET],
    sessionCookie: { name: 'fairline-session' },
    guestsWelcome: true,
    clock,
  });
  const signUser = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'JWT' });
  const keys = createVerificationKeys({
    entryTokens,
    vwrTokens,
    identity,
    device: deviceOf,
    cdnSecret: cdnSecret ?? undefined,
  });
  const active = new ActiveEvents(fixedEvents(activeEvents));
  const rules = {
    read: createReader(createMatcher(book)),
    otherwise: book.otherwise,
    isTier1On: (eventId: string) => active.has(eventId),
  };
  const seconds = () => Math.floor(clock.now() / 1000);

  const entry = (eventId = 'concert', visitor = 'mina', lastsMs = 600_000) =>
    entryTokens.issue(eventId, visitor, {
      state: 'active',
      number: 7,
      tokenId: 'epoch.7',
      joinedAt: 0,
      admittedAt: clock.now(),
      expiresAt: clock.now() + lastsMs,
    });
  const vwr = (eventId = 'concert', device = 'phone') =>
    vwrTokens.issue({ eventId, device, position: 7, tokenId: 'place.7' });
  const user = (name: string) => signUser({ sub: name, iat: seconds(), exp: seconds() + 86_400 });

  /** The headers that the browser of `who` sends. */
  const headers = (sent: Sent = {}): Record<string, string> => {
    const { who = 'mina', device = 'phone', entryToken, vwrToken, more = {} } = sent;
    const cookies = [
      ...(device === null ? [] : [`device=${device}`]),
      ...(entryToken === undefined ? [] : [`urr-entry-token=${entryToken}`]),
      ...(vwrToken === undefined ? [] : [`urr-vwr-token=${vwrToken}`]),
    ];
    return {
      ...(who === null ? {} : { authorization: `Bearer ${user(who)}` }),
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...more,
    };
  };
  const ask = (method: string, target: string, sent: Sent = {}): Decision =>
    decide({ method, target, headers: headers(sent) }, rules, keys, clock.now());
  /** With both tokens. */
  const askWithBoth = (method: string, target: string, more: Record<string, string> = {}) =>
    ask(method, target, { entryToken: entry(), vwrToken: vwr(), more });
  return { clock, keys, rules, active, entryTokens, identity, entry, vwr, user, headers, ask, askWithBoth };
}

export interface Sent {
  who?: string | null;
  device?: string | null;
  entryToken?: string;
  vwrToken?: string;
  more?: Record<string, string>;
}

/** Replaces the signed device cookie, which has its own tests. */
export function deviceOf(headers: GateRequest['headers']): string | undefined {
  return /device=(\w+)/.exec(String(headers.cookie))?.[1];
}

export function bookOf(json: object): RuleBook {
  const read = readRules(json);
  if (read.outcome === 'invalid') throw new Error(read.problems.map(({ message }) => message).join('\n'));
  return read.book;
}

/**
 * A decision as text: `pass`, `302 /vwr/concert`, `403 ENTRY_TOKEN_REQUIRED /queue/concert`. Without the wanted page,
 * which has its own tests (wanted-page.test.ts).
 */
export function summarize(decision: Decision): string {
  if (decision.outcome === 'pass') return 'pass';
  const page = (decision.outcome === 'redirect' ? decision.to : decision.redirectTo)?.split('?')[0];
  if (decision.outcome === 'redirect') return `302 ${page}`;
  return [decision.status, decision.code, page].filter((part) => part !== undefined).join(' ');
}
