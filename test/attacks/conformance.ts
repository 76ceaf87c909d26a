/**
 * One table of attacks on a gate, and of honest requests that must still arrive. Every way to run the gate is tested with
 * all of it. The rules protect `/shop/{eventId}`, `/api/reservations`, `/api/orders`, `/api/carts` and `/events/{eventId}`.
 */
import { connect } from 'node:net';

export const rules = {
  otherwise: 'pass',
  rules: [
    // The tokens are signed here and the line knows no session of theirs, so it must not be asked to renew them.
    { path: '/shop/{eventId}/**', require: 'entry', answer: 'page', renews: false },
    { path: '/api/orders/**', require: 'entry', event: { query: 'event' } },
    { path: '/api/reservations/**', require: 'both', event: 'token' },
    { path: '/api/carts/**', methods: ['GET'], require: 'none' },
    { path: '/api/carts/**', require: 'entry', event: 'token' },
    { path: '/events/{eventId}/**', require: 'vwr', answer: 'page' },
  ],
};
/** The events with tier 1 on. */
export const ACTIVE_EVENTS = ['concert', '7'];

/** Appears in every value that only the gate or a proxy may set. The site must never see one. */
const FORGED = ['forged', '203.0.113.66'];

export type HeaderList = [name: string, value: string][];

/** `mina` is admitted to the concert, `jun` to a quiet event. */
export interface Visitors {
  mina: HeaderList;
  jun: HeaderList;
  /** The tokens of mina, sent by jun. */
  thief: HeaderList;
}

export interface RawRequest {
  method?: string;
  target: string;
  headers?: HeaderList;
}

export interface Case {
  title: string;
  request: (visitors: Visitors) => RawRequest;
  expected: Expected;
  /** Why an adapter inside the application is left out. */
  notInProcess?: string;
}

export type Expected =
  | 'refused'
  /** What the site must read in X-Fairline-Event and X-Fairline-Visitor; absent: it must read nothing. */
  | { arrives: 'always' | 'or is refused'; event?: string; visitor?: string; mayBeWithoutHeaders?: boolean };

export interface Seen {
  method: string;
  url: string;
  /** Names and values alternating. */
  rawHeaders: string[];
}

const BETWEEN_PROXIES = 'the application and its own proxy agree on these headers';
const PAGE = '/shop/concert';
const ofMina = { event: 'concert', visitor: 'mina' };

const honest: Case[] = [
  passes('an honest request', ({ mina }) => ({ target: PAGE, headers: mina }), ofMina),
  passes('a path that names no event', ({ mina }) => ({ target: '/api/reservations', headers: mina }), ofMina),
  passes('an event in the query', ({ jun }) => ({ target: '/api/orders?event=quiet&row=3', headers: jun }), {
    event: 'quiet',
    visitor: encodeURIComponent('준 100%'),
  }),
  passes('a page of tier 1', ({ mina }) => ({ target: '/events/concert', headers: mina }), { event: 'concert' }),
  passes('a page of an event without tier 1', () => ({ target: '/events/quiet' }), {}),
  passes('a public page', ({ mina }) => ({ target: '/public', headers: mina }), {}),
  passes('an open method', () => ({ target: '/api/carts' }), {}),
];

const claims: HeaderList = [
  ['X-Fairline-Event', 'forged'],
  ['x-fairline-event', 'forged'],
  ['X-FAIRLINE-EVENT', 'forged'],
  ['X_Fairline_Event', 'forged'],
  ['X-Fairline_Event', 'forged'],
  ['X_Fairline-Event', 'forged'],
  ['X-Fairline-Visitor', 'forged'],
  ['x_fairline_visitor', 'forged'],
  ['X-Fairline-Redirect', 'forged'],
];
const overrides: HeaderList = [
  ['X-CloudFront-Verified', 'forged'],
  ['X-HTTP-Method-Override', 'forged'],
  ['X-HTTP-Method', 'forged'],
  ['X-Method-Override', 'forged'],
  ['X-Original-URL', '/forged'],
  ['X-Rewrite-URL', '/forged'],
  ['X-Original-URI', '/forged'],
];
const proxyHeaders: HeaderList = [
  ['X-Forwarded-For', '203.0.113.66'],
  ['X-Forwarded-Host', 'forged.example'],
  ['X-Forwarded-Prefix', '/forged'],
  ['X-Forwarded-User', 'forged'],
  ['X-Real-IP', '203.0.113.66'],
  ['Client-IP', '203.0.113.66'],
  ['True-Client-IP', '203.0.113.66'],
  ['Forwarded', 'for=203.0.113.66'],
  ['X-User-Id', 'forged'],
  ['X_User_Id', 'forged'],
  ['Remote-User', 'forged'],
  ['Proxy', 'http://forged.example'],
];

const forgeries: Case[] = [
  ...[...claims, ...overrides].flatMap((header) => forgery(header)),
  ...proxyHeaders.flatMap((header) => forgery(header).map((test) => ({ ...test, notInProcess: BETWEEN_PROXIES }))),
  ...forgery(['X-Fairline-Event', 'forged'], ['X-Fairline-Event', 'forged too']),
  {
    title: 'Connection names the headers of the gate, so that a proxy drops them',
    request: ({ mina }) => ({
      target: PAGE,
      headers: [...mina, ['Connection', 'close, X-Fairline-Event, X-Fairline-Visitor'], ['X-Fairline-Event', 'forged']],
    }),
    expected: { arrives: 'or is refused', ...ofMina, mayBeWithoutHeaders: true },
  },
  {
    title: 'a second Host',
    request: () => ({ target: '/public', headers: twoHosts }),
    expected: { arrives: 'or is refused' },
  },
  refused('a second Host on a protected page', () => ({ target: PAGE, headers: twoHosts })),
];
const twoHosts: HeaderList = [
  ['Host', 'shop.example'],
  ['Host', 'forged.example'],
];

const tokens: Case[] = [
  refused('no token', () => ({ target: PAGE })),
  refused('a token of another event', ({ jun }) => ({ target: PAGE, headers: jun })),
  refused('a token of another visitor', ({ thief }) => ({ target: PAGE, headers: thief })),
  refused('a token of another visitor, event in the token', ({ thief }) => ({
    target: '/api/reservations',
    headers: thief,
  })),
  ...['true', 'undefined', 'forged'].map((proof) =>
    refused(`X-CloudFront-Verified: ${proof} instead of a token`, () => ({
      target: PAGE,
      headers: [
        ['X-CloudFront-Verified', proof],
        ['X-Fairline-Event', 'concert'],
        ['X-Fairline-Visitor', 'mina'],
      ],
    })),
  ),
  ...['X-Original-URI', 'X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Uri', 'X-Forwarded-Path'].map((name) =>
    refused(`${name} names a public page`, () => ({ target: PAGE, headers: [[name, '/public']] })),
  ),
  refused('X-Original-Method and X-Forwarded-Method name an open method', () => ({
    method: 'POST',
    target: '/api/carts',
    headers: [
      ['X-Original-Method', 'GET'],
      ['X-Forwarded-Method', 'GET'],
      ['X-HTTP-Method-Override', 'GET'],
    ],
  })),
  refused('a method override in the query', () => ({ target: '/api/carts?_method=DELETE' })),
  refused('a method override in the query after a semicolon', () => ({ target: '/api/carts?a=1;_method=post' })),
];

/** Each is `/api/reservations` or `/shop/concert` to some framework. */
const paths = [
  '/api/reservations.json',
  '/api/reservations.html',
  '/api/reservations.',
  '/api/reservations/.json',
  '/api/reservations;jsessionid=1',
  '/api;v=1/reservations',
  '/api/reservations/',
  '/API/Reservations',
  '//api/reservations',
  '/api//reservations',
  '/./api/reservations',
  '/public/../api/reservations',
  '/public/%2e%2e/api/reservations',
  '/public/..%2fapi/reservations',
  '/public/..;/api/reservations',
  '/api%2freservations',
  '/api/%72eservations',
  '/api/%2572eservations',
  '/api/reservations%00',
  '/api/reservations%20',
  '/api/%20reservations',
  '/api/%C2%A0reservations',
  '/api\\reservations',
  '/api%5creservations',
  '/api%c0%afreservations',
  '/api/reservation%C5%BF',
  '/api/r%C3%A9servations',
  '/api/re%E2%80%8Bservations',
  '/api/reservations(7)',
  '/api/reservations:7',
  '/index.php/api/reservations',
  'http://shop.example/api/reservations',
  '/shop/concert.json',
  '/shop/concert;v=1',
  '/SHOP/concert',
  '/shop/index.php/concert',
];
/** Each is `/events/7` to some framework. */
const numbers = ['07', '7abc', '0x7', '7e0', '0b111', '0o7', '7-tour', '+7', '7.0', '%37', '%EF%BC%97', '4294967303'];
/** Each names the concert to some framework. */
const queries = [
  'event=quiet&event=concert',
  'event=quiet&x=1;event=concert',
  'event=quiet;event=concert',
  'event=quiet&event[]=concert',
  'event=quiet&event%5B0%5D=concert',
  'event=quiet&+event=concert',
  'event=quiet&%20event=concert',
  'event=quiet&EVENT=concert',
  'event=quiet&event%00=concert',
  'event=quiet&ev%ent=concert',
  'event=quiet&%EF%BD%85vent=concert',
  'event[]=quiet',
];

const readings: Case[] = [
  ...paths.map((target) => refused(target, () => ({ target }))),
  ...numbers.map((id) => refused(`/events/${id}`, () => ({ target: `/events/${id}` }))),
  ...queries.map((query) => refused(query, ({ jun }) => ({ target: `/api/orders?${query}`, headers: jun }))),
];

export const cases: readonly Case[] = [...honest, ...tokens, ...forgeries, ...readings];

/** What is wrong with how the gate treated a request; undefined if nothing is. */
export function findProblem(expected: Expected, status: number, seen: readonly Seen[]): string | undefined {
  const arrived = seen.map(({ method, url }) => `${method} ${url}`).join(', ');
  if (expected === 'refused') {
    if (seen.length > 0) return `reached the site as ${arrived}`;
    return status >= 300 && status < 500 ? undefined : `was answered with ${status}`;
  }
  if (seen.length === 0) return expected.arrives === 'always' ? `did not arrive (${status})` : undefined;
  if (seen.length > 1) return `arrived as ${arrived}`;
  const pairs = pairsOf(seen[0]!.rawHeaders);
  const forged = pairs.find(([, value]) => FORGED.some((text) => value.includes(text)));
  if (forged !== undefined) return `arrived with ${forged.join(': ')}`;
  for (const [name, wanted] of [
    ['x-fairline-event', expected.event],
    ['x-fairline-visitor', expected.visitor],
  ] as const) {
    const values = pairs.filter(([key, value]) => plain(key) === name && value !== '').map(([, value]) => value);
    const isRight =
      values.length === 0 ? wanted === undefined || expected.mayBeWithoutHeaders : values.join() === wanted;
    if (!isRight) return `arrived with ${name}: ${values.join() || 'nothing'}`;
  }
  return undefined;
}

/** Sends a request byte by byte as given; HTTP clients would repair it. */
export function sendRaw(url: string, { method = 'GET', target, headers = [] }: RawRequest): Promise<number> {
  const has = (name: string) => headers.some(([key]) => key.toLowerCase() === name);
  const all: HeaderList = [
    ...(has('host') ? [] : ([['Host', 'shop.example']] as HeaderList)),
    ...(has('connection') ? [] : ([['Connection', 'close']] as HeaderList)),
    ...(method === 'GET' ? [] : ([['Content-Length', '0']] as HeaderList)),
    ...headers,
  ];
  const text = [`${method} ${target} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  );
  return sendText(url, text);
}

/** The status of the first response; 0 if there was none. */
export function sendText(url: string, text: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding('utf8').setTimeout(20_000, () => socket.destroy(new Error(`no response to ${text}`)));
    socket.on('data', (chunk) => {
      received += chunk;
      if (received.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(Number(/^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1] ?? 0)));
  });
}

/** On a protected page, where the gate's own headers must arrive, and on a public one, where none may. */
function forgery(...headers: HeaderList): Case[] {
  const what = headers.map((header) => header.join(': ')).join(', ');
  return [
    passes(`${what}, on a protected page`, ({ mina }) => ({ target: PAGE, headers: [...mina, ...headers] }), ofMina),
    passes(`${what}, on a public page`, () => ({ target: '/public', headers }), {}),
  ];
}

function passes(title: string, request: Case['request'], arrival: { event?: string; visitor?: string }): Case {
  return { title, request, expected: { arrives: 'always', ...arrival } };
}

function refused(title: string, request: Case['request']): Case {
  return { title, request, expected: 'refused' };
}

/** As CGI programs read header names. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1]!] as [string, string]] : []));
}
