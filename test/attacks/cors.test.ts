/** Pages of other origins: those in CORS_ORIGINS may use what front ends need, and nobody else anything. */
import { describe, expect, it } from 'vitest';
import { corsUrls } from '../../src/compose/cors-urls.ts';
import { endpointRoles } from '../../src/identity/roles/endpoint-roles.ts';
import { runApp } from '../support/running-app.ts';
import { createTestApp } from '../support/test-app.ts';

const LISTED = 'https://www.shop.example';
const env = { CORS_ORIGINS: `${LISTED}, http://shop.example:8080` };
const JOIN = '/api/queue/check/concert';
const STATUS = '/api/queue/status/concert';
/** Origins that look like a listed one. */
const strangers = [
  'https://evil.example',
  'null',
  'http://www.shop.example',
  'https://www.shop.example:444',
  'https://www.shop.example.evil.example',
  'https://evil-www.shop.example',
  'https://WWW.shop.example',
  `${LISTED}/`,
  `${LISTED}, https://evil.example`,
  '',
];

const corsHeaders = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

async function listen(more: Record<string, string> = {}) {
  const { url } = await runApp({ env: { ...env, ...more }, room: { maxActive: 0 } });
  const send = (method: string, path: string, headers: Record<string, string>) =>
    fetch(url + path, { method, headers });
  const preflight = (path: string, origin: string, method = 'POST') =>
    send('OPTIONS', path, {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization',
      'sec-fetch-site': 'cross-site',
    });
  return { url, send, preflight };
}

describe.each(['on', 'off'])('CORS_ORIGINS, with the fast path %s', (fastPath) => {
  it('lets pages of a listed origin join and poll, and read the responses and errors', async () => {
    const { send } = await listen({ HTTP_FAST_PATH: fastPath });
    const headers = { origin: LISTED, 'sec-fetch-site': 'same-site' };
    const joined = await send('POST', JOIN, headers);
    expect([joined.status, joined.headers.get('vary')]).toEqual([200, 'Origin']);
    expect(corsHeaders(joined.headers)).toMatchObject({
      'access-control-allow-origin': LISTED,
      'access-control-allow-credentials': 'true',
    });
    const cookie = joined.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ');
    expect(cookie).toContain('fairline-guest');
    const { position } = (await joined.json()) as { position: number };
    const polled = await send('GET', STATUS, { ...headers, cookie });
    expect([polled.status, await polled.json()]).toMatchObject([200, { position }]);
    const failed = await send('POST', '/api/queue/check/other', headers);
    expect([failed.status, failed.headers.get('access-control-allow-origin')]).toEqual([404, LISTED]);
  });

  it('gives a page of any other origin nothing: no preflight, no join, no cookie, no readable response', async () => {
    const { send, preflight } = await listen({ HTTP_FAST_PATH: fastPath });
    const doors = [
      ['POST', JOIN, 403],
      ['GET', STATUS, 403],
      ['GET', '/vwr/status/concert', 200],
    ] as const;
    for (const origin of strangers) {
      const refused = await preflight(JOIN, origin);
      expect([origin, refused.status, corsHeaders(refused.headers)]).toEqual([origin, 403, {}]);
      for (const [method, path, status] of doors) {
        const { headers, status: got } = await send(method, path, { origin, 'sec-fetch-site': 'cross-site' });
        expect([origin, path, got, corsHeaders(headers)]).toEqual([origin, path, status, {}]);
        expect([headers.getSetCookie(), headers.get('vary')]).toEqual([[], 'Origin']);
      }
    }
  });

  it('does not count an origin that is only in Referer, or a site that says it is ours', async () => {
    const { send } = await listen({ HTTP_FAST_PATH: fastPath });
    const headers = { 'sec-fetch-site': 'cross-site', referer: `${LISTED}/page` };
    expect((await send('POST', JOIN, headers)).status).toBe(403);
  });
});

describe('a preflight', () => {
  it('names the methods and headers of each door', async () => {
    const { preflight } = await listen();
    const answer = await preflight('/events/concert/tickets/waiting', LISTED, 'DELETE');
    expect([answer.status, corsHeaders(answer.headers)]).toMatchObject([
      204,
      {
        'access-control-allow-origin': LISTED,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, DELETE',
        'access-control-allow-headers': expect.stringContaining('x-queue-entry-token'),
      },
    ]);
  });

  it('is refused for every endpoint that is not a door', async () => {
    const { preflight } = await listen();
    const paths = [
      ...[
        '/api/admin/rooms/concert',
        '/api/queue/admin/clear/concert',
        '/api/admin/session',
        '/api/admin/vwr/activate/x',
      ],
      ...['/metrics', '/gate/verify', '/queue/concert'],
    ];
    for (const path of paths) {
      const answer = await preflight(path, LISTED, 'PUT');
      expect([path, answer.status, corsHeaders(answer.headers)]).toEqual([path, 405, {}]);
    }
    const unknown = await preflight('/api/queue/unknown', LISTED, 'PUT');
    expect([unknown.status, corsHeaders(unknown.headers)]).toEqual([404, {}]);
  });

  it('is answered by nobody unless CORS_ORIGINS is set', async () => {
    const { preflight, send } = await listen({ CORS_ORIGINS: '' });
    expect((await preflight(JOIN, LISTED)).status).toBe(405);
    const joined = await send('POST', JOIN, {});
    expect([joined.status, joined.headers.get('vary'), corsHeaders(joined.headers)]).toEqual([200, null, {}]);
  });
});

it('lets a listed origin change nothing beyond these endpoints', async () => {
  const { send } = await listen();
  const headers = { origin: LISTED, 'sec-fetch-site': 'same-site' };
  const answer = await send('DELETE', '/api/admin/session', headers);
  expect([answer.status, corsHeaders(answer.headers)]).toEqual([403, {}]);
});

it('lists no endpoint that an operator uses', () => {
  const ofOperators = [...endpointRoles.keys()].map((endpoint) => endpoint.split(' ')[1]!);
  expect(ofOperators.length).toBeGreaterThan(20);
  expect(ofOperators.filter((url) => corsUrls.has(`/api${url}`) || corsUrls.has(url))).toEqual([]);
});

it('names only endpoints that exist', async () => {
  const { app } = await createTestApp(env);
  await app.ready();
  const urls = new Set(app.routeList.map(({ url }) => url));
  expect([...corsUrls].filter((url) => !urls.has(url))).toEqual([]);
});
