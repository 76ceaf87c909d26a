/**
 * The cost of a gate decision: in process, in `fairline gate` beside nginx and Caddy, and at `/gate/verify`. With `only=NAME`
 * of one proxy only.
 */

import { decide } from '../src/gate/decision/decide.ts';
import { defaultRules } from '../src/gate/decision/default-rules.ts';
import type { GateRequest } from '../src/gate/decision/gate-request.ts';
import { createMatcher } from '../src/gate/decision/match-rule.ts';
import { createReader } from '../src/gate/decision/read-request.ts';
import { createVerificationKeys } from '../src/gate/lookups/verification-keys.ts';
import { createIdentity } from '../src/identity/identity.ts';
import { createEntryTokens } from '../src/line/tokens/entry-tokens.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createDevices } from '../src/tier1/tokens/devices.ts';
import { createVwrTokens } from '../src/tier1/tokens/vwr-tokens.ts';
import { measureProxies, OURS } from './gate-proxies.ts';
import { measureVerify } from './gate-verify.ts';
import { benchSecrets, userTokens } from './processes.ts';
import { type BenchRow, effort, report } from './report.ts';

const VISITORS = effort(20_000, 1_000);
const DECISIONS = effort(200_000, 10_000);
/** Visitors with tokens of their own whose requests a proxy sees in turn. */
const ADMITTED = effort(1_000, 100);
/** What a browser sends for a page that requires no token. */
const OPEN_PAGE = [
  'GET /about?lang=ko HTTP/1.1',
  'Host: localhost',
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language: ko-KR,ko;q=0.9,en;q=0.8',
  'Accept-Encoding: gzip, deflate, br',
  'Cookie: session=0123456789abcdef0123456789abcdef; theme=dark',
  'Sec-Fetch-Site: same-origin',
  '\r\n',
].join('\r\n');
const SEATS = '/api/seats/events/concert';

const clock = systemClock;
const entryTokens = createEntryTokens([benchSecrets.QUEUE_ENTRY_TOKEN_SECRET], clock);
const vwrTokens = createVwrTokens([benchSecrets.VWR_TOKEN_SECRET], clock);
const devices = createDevices([benchSecrets.VWR_TOKEN_SECRET], clock);
const visitors = createVisitors('visitor');

// Warm-up, so the first rows do not measure compilation.
measureDecisions(createVisitors('early'));
console.log('\nGate decisions in process, sequential (default rules, both tokens, caller and device checked)');
const decisions = [
  toDecisionRow('tokens not seen before', measureDecisions(visitors)),
  toDecisionRow('tokens seen twice before', measureDecisions(visitors, [...visitors, ...visitors])),
  toDecisionRow('no token (refused)', measureDecisions(visitors.map((request) => ({ ...request, headers: {} })))),
  toDecisionRow('open path', measureDecisions(visitors.map((one) => ({ ...one, target: '/api/events/concert' })))),
];
const [neverSeen] = decisions;
decisions.push({
  ...toDecisionRow('', measureMachine(neverSeen!.more!['p50 us'] as number)),
  what: 'machine noise: arithmetic of the same duration',
});
console.table(decisions.map(({ more, ...row }) => ({ ...row, ...more })));

console.log('\nThrough reverse proxies in front of the same site, medians of alternating rounds');
const only = process.argv.find((word) => word.startsWith('only='))?.slice('only='.length);
const admitted = visitors.slice(0, ADMITTED).map(toWire);
const proxied = [
  ...(await measureProxies([OPEN_PAGE], 'open page', only)),
  ...(await measureProxies(admitted, 'admitted visitors', only ?? OURS)),
  ...(only === undefined ? await measureVerify(admitted) : []),
];
console.table(proxied.map(({ more, ...row }) => ({ ...row, ...more })));
report([...decisions, ...proxied]);

interface Decisions {
  perSecond: number;
  micros: Record<'p50 us' | 'p99 us' | 'p99.9 us', number>;
}

function toDecisionRow(what: string, { perSecond, micros }: Decisions): BenchRow {
  return { what: `gate decision, ${what}`, unit: '/s', ours: perSecond, more: micros };
}

function measureDecisions(requests: GateRequest[], before: GateRequest[] = []): Decisions {
  const ask = createGate();
  for (const request of before) ask(request);
  const count = before.length > 0 ? DECISIONS : requests.length;
  return measureTimes(count, (i) => ask(requests[i % requests.length]!));
}

function measureTimes(count: number, work: (index: number) => void): Decisions {
  const micros = new Float64Array(count);
  const startedAt = performance.now();
  for (let i = 0; i < count; i += 1) {
    const at = performance.now();
    work(i);
    micros[i] = (performance.now() - at) * 1000;
  }
  const perSecond = Math.round((count / (performance.now() - startedAt)) * 1000);
  micros.sort();
  const at = (share: number) => Math.round((micros[Math.floor(count * share)] ?? 0) * 10) / 10;
  return { perSecond, micros: { 'p50 us': at(0.5), 'p99 us': at(0.99), 'p99.9 us': at(0.999) } };
}

/**
 * Measures a computation of the same duration that touches no memory and leaves no garbage: its p99 shows how much of ours
 * is noise of the machine.
 */
function measureMachine(wantedMicros: number): Decisions {
  let steps = 1_000;
  for (let round = 0; round < 5; round += 1) {
    steps = Math.max(
      1,
      Math.round((steps * wantedMicros) / measureTimes(1_000, () => compute(steps)).micros['p50 us']),
    );
  }
  return measureTimes(VISITORS, () => compute(steps));
}

function compute(steps: number): number {
  let state = 1;
  for (let i = 0; i < steps; i += 1) state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state;
}

function createGate(): (request: GateRequest) => void {
  const identity = createIdentity({
    authSecrets: [benchSecrets.AUTH_JWT_SECRET],
    guestKeys: [benchSecrets.GUEST_SECRET],
    sessionCookie: { name: 'fairline-session' },
    guestsWelcome: true,
    clock,
  });
  const freshDevices = createDevices([benchSecrets.VWR_TOKEN_SECRET], clock);
  const keys = createVerificationKeys({
    entryTokens: createEntryTokens([benchSecrets.QUEUE_ENTRY_TOKEN_SECRET], clock),
    vwrTokens: createVwrTokens([benchSecrets.VWR_TOKEN_SECRET], clock),
    identity,
    device: ({ cookie }) => freshDevices.find(String(cookie)),
    cdnSecret: undefined,
  });
  const rules = {
    read: createReader(createMatcher(defaultRules)),
    otherwise: defaultRules.otherwise,
    isTier1On: () => true,
  };
  return (request) => decide(request, rules, keys, clock.now());
}

function createVisitors(name: string): GateRequest[] {
  const expiresAt = clock.now() + 3_600_000;
  return userTokens(name, VISITORS).map((user, i) => {
    const { device, token } = devices.create();
    const admission = { number: i + 1, tokenId: `e.${i + 1}`, joinedAt: 0, admittedAt: clock.now(), expiresAt };
    const entry = entryTokens.issue('concert', `${name}-${i}`, { state: 'active', ...admission });
    const vwr = vwrTokens.issue({ eventId: 'concert', device, position: i + 1, tokenId: `p.${i + 1}` });
    const cookie = `fairline-device=${token}; urr-vwr-token=${vwr}; urr-entry-token=${entry}`;
    return { method: 'GET', target: SEATS, headers: { authorization: `Bearer ${user}`, cookie } };
  });
}

function toWire({ method, target, headers }: GateRequest): string {
  const { authorization, cookie } = headers;
  return `${method} ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\ncookie: ${cookie}\r\n\r\n`;
}
