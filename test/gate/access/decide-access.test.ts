/** Bypass, block, allow-only, bans and ejections in the gate's decision. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/gate/decision/decide.ts';
import { type AccessLists, createAccessJudge } from '../../../src/gate/decision/judge-access.ts';
import { readRules } from '../../../src/gate/decision/rules.ts';
import { toDigest } from '../../../src/platform/crypto/digest.ts';
import { bookOf, CDN_SECRET, createGateWorld, type Sent, summarize } from '../gate-world.ts';

const SECRET = 'a-secret-of-the-monitor';
const rules = [
  { path: '/shop/{eventId}/**', require: 'entry', answer: 'page' },
  { path: '/buy', require: 'entry', event: 'token' },
  { path: '/open/**', require: 'none' },
];
const noLists: AccessLists = { entries: [], bans: [], ejections: [], revokedPasses: [] };

/** `access`: as in a rules file, with secrets resolved as loadRules does. */
function createWorld(access: object[] = [], lists: Partial<AccessLists> = {}) {
  const book = bookOf({ otherwise: 'pass', rules, access });
  const world = createGateWorld({ book });
  const resolve = (one?: { name: string; secret: object }) =>
    one && { name: one.name, secret: { hash: toDigest((one.secret as { text: string }).text) } };
  const entries = (book.access ?? []).map((entry) => ({
    ...entry,
    ...(entry.header && { header: resolve(entry.header)! }),
    ...(entry.cookie && { cookie: resolve(entry.cookie)! }),
  }));
  const judge = createAccessJudge({ ...noLists, entries, ...lists });
  const decideOn = (target: string, sent: Sent & { address?: string; method?: string; crawler?: string } = {}) =>
    decide(
      {
        method: sent.method ?? 'GET',
        target,
        headers: world.headers(sent),
        address: sent.address,
        ...(sent.crawler && { crawler: sent.crawler }),
      },
      { ...world.rules, access: judge },
      world.keys,
      world.clock.now(),
    );
  const ask = (...args: Parameters<typeof decideOn>) => summarize(decideOn(...args));
  return { ...world, decideOn, ask };
}

const PAGE = '/shop/concert/seats';
const SENT_AWAY = '302 /queue/concert';

describe('a bypass', () => {
  it('by address passes without tokens and says which entry did it', () => {
    const { ask, decideOn } = createWorld([{ effect: 'bypass', addresses: ['192.0.2.0/24', '2001:db8::/32'] }]);
    expect(decideOn(PAGE, { address: '192.0.2.9' })).toMatchObject({
      outcome: 'pass',
      eventId: 'concert',
      visitor: undefined,
      bypass: { kind: 'address', entry: 'access[0]', eventId: 'concert' },
    });
    expect(ask(PAGE, { address: '::ffff:192.0.2.9' })).toBe('pass');
    expect(ask(PAGE, { address: '2001:db8::9' })).toBe('pass');
    for (const address of ['192.0.3.9', '2001:db9::9', 'unknown', '', undefined]) {
      expect(ask(PAGE, { ...(address !== undefined && { address }) })).toBe(SENT_AWAY);
    }
  });

  it('by header needs the secret, and withholds the header from the site', () => {
    const { ask, decideOn } = createWorld([{ effect: 'bypass', header: { name: 'X-Monitor', secret: SECRET } }]);
    const given = (value: string) => ({ more: { 'x-monitor': value } });
    expect(decideOn(PAGE, given(SECRET))).toMatchObject({ outcome: 'pass', withheld: ['x-monitor'] });
    expect(decideOn('/open/x')).toMatchObject({ outcome: 'pass', withheld: ['x-monitor'] });
    for (const wrong of ['', SECRET.slice(0, -1), `${SECRET}x`, SECRET.toUpperCase(), `${SECRET}, ${SECRET}`]) {
      expect(ask(PAGE, given(wrong))).toBe(SENT_AWAY);
    }
  });

  it('by cookie needs the secret', () => {
    const { ask } = createWorld([{ effect: 'bypass', cookie: { name: 'staff', secret: SECRET } }]);
    const given = (cookie: string) => ({ device: null, more: { cookie } });
    expect(ask(PAGE, given(`a=b; staff=${SECRET}`))).toBe('pass');
    for (const cookie of [`xstaff=${SECRET}`, `staff=${SECRET}x`, `staff="${SECRET}"`, `STAFF=${SECRET}`]) {
      expect(ask(PAGE, given(cookie))).toBe(SENT_AWAY);
    }
  });

  it('by crawler needs the verdict; a user agent is no proof', () => {
    const { ask } = createWorld([{ effect: 'bypass', crawler: ['googlebot'] }]);
    const agent = { more: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }, address: '66.249.66.1' };
    expect(ask(PAGE, agent)).toBe(SENT_AWAY);
    expect(ask(PAGE, { ...agent, crawler: 'bingbot' })).toBe(SENT_AWAY);
    expect(ask(PAGE, { ...agent, crawler: 'googlebot' })).toBe('pass');
  });

  it('holds only where all its conditions do', () => {
    const entry = {
      effect: 'bypass',
      addresses: ['192.0.2.1'],
      header: { name: 'x-key', secret: SECRET },
      methods: ['GET'],
      paths: ['/shop/{eventId}/status'],
      events: ['concert'],
    };
    const { ask } = createWorld([entry]);
    const right = { address: '192.0.2.1', more: { 'x-key': SECRET } };
    expect(ask('/shop/concert/status', right)).toBe('pass');
    expect(ask('/shop/concert/status', { ...right, method: 'HEAD' })).toBe('pass');
    expect(ask('/shop/concert/status', { ...right, address: '192.0.2.2' })).toBe(SENT_AWAY);
    expect(ask('/shop/concert/status', { ...right, more: {} })).toBe(SENT_AWAY);
    expect(ask('/shop/concert/status', { ...right, method: 'POST' })).toBe(SENT_AWAY);
    expect(ask('/shop/concert/seats', right)).toBe(SENT_AWAY);
    expect(ask('/shop/concert/STATUS', right)).toBe(SENT_AWAY);
    expect(ask('/shop/other/status', right)).toBe('302 /queue/other');
    expect(ask('/shop/CONCERT/status', right)).toBe('302 /queue/CONCERT');
  });

  it('replaces tokens and nothing else', () => {
    const { ask } = createWorld([{ effect: 'bypass', addresses: ['192.0.2.1'] }]);
    const address = '192.0.2.1';
    expect(ask('/shop/concert/%2e%2e/x', { address })).toContain('400 AMBIGUOUS_PATH');
    expect(ask(PAGE, { address, method: 'TRACE' })).toContain('405');
    expect(ask('/shop/a.b/x', { address })).toContain('400 INVALID_INPUT');
    const denied = createGateWorld({
      book: bookOf({ otherwise: 'deny', rules, access: [{ effect: 'bypass', addresses: ['192.0.2.1'] }] }),
    });
    expect(denied.ask('GET', '/elsewhere')).toMatchObject({ code: 'NOT_OPEN' });
  });

  it('leaves an admitted visitor their own pass', () => {
    const { decideOn, entry } = createWorld([{ effect: 'bypass', addresses: ['192.0.2.1'] }]);
    const decision = decideOn(PAGE, { address: '192.0.2.1', entryToken: entry() });
    expect(decision).toMatchObject({ outcome: 'pass', visitor: 'mina' });
    expect(decision).not.toHaveProperty('bypass');
  });

  it('of one event does not hold where only the token would name the event', () => {
    const { ask } = createWorld([{ effect: 'bypass', addresses: ['192.0.2.1'], events: ['concert'] }]);
    expect(ask('/buy', { address: '192.0.2.1' })).toContain('403 ENTRY_TOKEN_REQUIRED');
  });
});

describe('a block', () => {
  it('refuses everything that matches, with or without tokens, on open paths too', () => {
    const { ask, entry } = createWorld([{ effect: 'block', addresses: ['198.51.100.0/24'] }]);
    const address = '198.51.100.7';
    for (const path of [PAGE, '/open/x', '/no-rule']) {
      expect(ask(path, { address, entryToken: entry() })).toBe('403 BLOCKED');
      expect(ask(path, { address: '198.51.101.7', entryToken: entry() })).toBe('pass');
    }
  });

  it('comes before a bypass', () => {
    const { ask } = createWorld([
      { effect: 'bypass', addresses: ['192.0.2.0/24'] },
      { effect: 'block', addresses: ['192.0.2.66'] },
    ]);
    expect([ask(PAGE, { address: '192.0.2.1' }), ask(PAGE, { address: '192.0.2.66' })]).toEqual([
      'pass',
      '403 BLOCKED',
    ]);
  });

  it('of a path also refuses what a site may read as that path, and as that method', () => {
    const { ask, entry } = createWorld([{ effect: 'block', paths: ['/open/export/**'], methods: ['POST'] }]);
    const post = { method: 'POST', entryToken: entry() };
    for (const path of ['/open/export', '/open/EXPORT/all', '/open/export.csv', '/index.php/open/export']) {
      expect(ask(path, post)).toBe('403 BLOCKED');
    }
    expect(ask('/open/export?_method=POST')).toBe('403 BLOCKED');
    expect(ask('/open/exports', post)).toBe('pass');
    expect(ask('/open/export')).toBe('pass');
  });

  it('of an event refuses its other spellings, and tokens that name it', () => {
    const { ask, entry } = createWorld([{ effect: 'block', addresses: ['192.0.2.1'], events: ['concert'] }]);
    const address = '192.0.2.1';
    expect(ask('/shop/CON-CERT/x', { address })).toBe('403 BLOCKED');
    expect(ask('/buy', { address, entryToken: entry() })).toBe('403 BLOCKED');
    expect(ask('/buy', { address, entryToken: entry('other') })).toBe('pass');
  });
});

describe('allow-only', () => {
  const access = [
    { effect: 'allow-only', events: ['concert'], addresses: ['192.0.2.0/24'] },
    { effect: 'allow-only', events: ['concert'], cookie: { name: 'presale', secret: SECRET } },
  ];

  it('lets pass those who match one of its entries and have waited, and tells others instead of making them wait', () => {
    const { ask, entry } = createWorld(access);
    expect(ask(PAGE, { address: '192.0.2.9' })).toBe(SENT_AWAY);
    expect(ask(PAGE, { address: '192.0.2.9', entryToken: entry() })).toBe('pass');
    expect(ask(PAGE, { address: '203.0.113.9' })).toBe('403 NOT_ALLOWED');
    expect(ask(PAGE, { address: '203.0.113.9', entryToken: entry() })).toBe('403 NOT_ALLOWED');
    expect(ask(PAGE)).toBe('403 NOT_ALLOWED');
    expect(ask('/buy', { address: '203.0.113.9', entryToken: entry() })).toBe('403 NOT_ALLOWED');
    const withCookie = { device: null, more: { cookie: `presale=${SECRET}; urr-entry-token=${entry()}` } };
    expect(ask(PAGE, { address: '203.0.113.9', ...withCookie })).toBe('pass');
  });

  it('leaves other events alone, and a bypass above it', () => {
    const { ask, entry } = createWorld([...access, { effect: 'bypass', addresses: ['198.51.100.1'] }]);
    expect(ask('/shop/other/x', { address: '203.0.113.9', entryToken: entry('other') })).toBe('pass');
    expect(ask(PAGE, { address: '198.51.100.1' })).toBe('pass');
  });
});

describe('bans and ejections', () => {
  it('refuse a banned visitor with a genuine token, in one room or everywhere, until the ban ends', () => {
    const { ask, entry, clock } = createWorld([], {
      bans: [
        { eventId: 'concert', visitor: 'mina', expiresAt: createGateWorld().clock.now() + 60_000 },
        { visitor: 'eve' },
      ],
    });
    expect(ask(PAGE, { entryToken: entry() })).toBe('302 /queue/concert');
    expect(ask('/buy', { entryToken: entry() })).toBe('403 BANNED /queue/concert');
    expect(ask('/shop/other/x', { entryToken: entry('other') })).toBe('pass');
    expect(ask('/shop/other/x', { who: 'eve', entryToken: entry('other', 'eve') })).toBe('302 /queue/other');
    clock.advance(60_000);
    expect(ask('/buy', { entryToken: entry() })).toBe('pass');
  });

  it('refuse a banned address without sending it to the line, and before a bypass', () => {
    const { ask, entry } = createWorld([{ effect: 'bypass', addresses: ['192.0.2.0/24'] }], {
      bans: [{ eventId: 'concert', addresses: ['192.0.2.0/28'] }],
    });
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1']) {
      expect(ask(PAGE, { address, entryToken: entry() })).toBe('403 BANNED');
      expect(ask(PAGE, { address })).toBe('403 BANNED');
    }
    expect(ask(PAGE, { address: '192.0.2.16' })).toBe('pass');
  });

  it('refuse the token of an ejected visitor, and accept the one of a later admission', () => {
    const lists = { ejections: [{ eventId: 'concert', visitor: 'mina', tokenId: 'epoch.7' }] };
    const { ask, entry, entryTokens, clock } = createWorld([], lists);
    const admission = { state: 'active', number: 9, tokenId: 'epoch.9', joinedAt: 0 } as const;
    const times = { admittedAt: clock.now(), expiresAt: clock.now() + 60_000 };
    const later = entryTokens.issue('concert', 'mina', { ...admission, ...times });
    expect(ask('/buy', { entryToken: entry() })).toBe('403 ENTRY_TOKEN_INVALID /queue/concert');
    expect(ask('/buy', { entryToken: later })).toBe('pass');
    // The word of a CDN does not say which admission it was, so the token is checked here.
    const vouched = {
      'x-cloudfront-verified': CDN_SECRET,
      'x-fairline-event': 'concert',
      'x-fairline-visitor': 'mina',
    };
    expect(ask('/buy', { entryToken: entry(), more: vouched })).toBe('403 ENTRY_TOKEN_INVALID /queue/concert');
    expect(ask('/buy', { entryToken: later, more: vouched })).toBe('pass');
  });
});

describe('access entries of a rules file', () => {
  const problemsOf = (access: unknown) => {
    const read = readRules({ otherwise: 'pass', rules, access });
    return read.outcome === 'read' ? [] : read.problems.map(({ message }) => message);
  };

  it.each([
    ['no list', {}, 'access must be a list'],
    ['no entry', [7], 'access[0] must be an object'],
    ['an unknown effect', [{ effect: 'open', addresses: ['192.0.2.1'] }], 'access[0].effect must be one of'],
    ['an unknown field', [{ effect: 'bypass', address: '192.0.2.1' }], 'access[0].address is not a known field'],
    ['no condition', [{ effect: 'bypass' }], 'access[0] needs at least one of'],
    ['only events', [{ effect: 'bypass', events: ['a'] }], 'access[0] needs at least one of'],
    ['an empty list', [{ effect: 'bypass', addresses: [] }], 'access[0].addresses must be a list'],
    [
      'a wrong address',
      [{ effect: 'bypass', addresses: ['x'] }],
      'access[0].addresses[0] is invalid: x is no IP address',
    ],
    ['everybody', [{ effect: 'bypass', addresses: ['0.0.0.0/0'] }], 'too wide'],
    [
      'a short secret',
      [{ effect: 'bypass', header: { name: 'x-a', secret: 'short' } }],
      'access[0].header.secret must have 16',
    ],
    [
      'two sources',
      [{ effect: 'bypass', header: { name: 'x-a', env: 'A', file: 'b' } }],
      'exactly one of secret, env, file',
    ],
    ['a reserved header', [{ effect: 'bypass', header: { name: 'Authorization', env: 'A' } }], 'access[0].header.name'],
    ['an unknown crawler', [{ effect: 'bypass', crawler: ['mybot'] }], 'access[0].crawler must be a list of googlebot'],
    ['a wrong path', [{ effect: 'bypass', paths: ['x'] }], 'access[0].paths must be a list'],
    ['a wrong method', [{ effect: 'bypass', methods: ['get'] }], 'access[0].methods must be'],
    ['allow-only for all events', [{ effect: 'allow-only', addresses: ['192.0.2.1'] }], 'access[0].events is required'],
    [
      'allow-only by path',
      [{ effect: 'allow-only', events: ['a'], paths: ['/x'] }],
      'access[0].effect allow-only takes only',
    ],
  ])('are refused with %s', (_, access, problem) => {
    expect(problemsOf(access).join('\n')).toContain(problem);
  });

  it('never open anything if they are not valid', () => {
    const anything = fc.anything({ maxDepth: 3 });
    const entry = fc.record(
      {
        effect: fc.oneof(fc.constant('bypass'), anything),
        addresses: fc.oneof(fc.array(fc.oneof(fc.constant('192.0.2.1'), fc.string())), anything),
        header: fc.oneof(fc.record({ name: fc.string(), secret: fc.string() }), anything),
        paths: fc.oneof(fc.array(fc.string()), anything),
        crawler: anything,
        events: anything,
      },
      { requiredKeys: ['effect'] },
    );
    fc.assert(
      fc.property(entry, (given) => {
        const read = readRules({ otherwise: 'pass', rules, access: [given] });
        if (read.outcome === 'invalid') return;
        const judge = createAccessJudge({ ...noLists, entries: read.book.access ?? [] });
        const world = createGateWorld({ book: read.book });
        const request = { method: 'GET', target: PAGE, headers: {}, address: '203.0.113.5' };
        const decision = decide(request, { ...world.rules, access: judge }, world.keys, world.clock.now());
        const isMeant = Array.isArray(given.paths) || decision.outcome !== 'pass';
        expect(isMeant).toBe(true);
      }),
    );
  });
});
