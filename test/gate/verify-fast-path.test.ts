/** A check by a proxy gets the same response on the fast path as from the framework. */
import { describe, expect, it } from 'vitest';
import { runApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';
import { createVisitor } from './proxy/run-gate.ts';

const SEATS = '/api/seats/events/concert';
const { hasWaited, signedIn } = createVisitor();
const fromNginx = (uri: string, method = 'GET') => ({ 'x-original-uri': uri, 'x-original-method': method });
const fromTraefik = (uri: string, method = 'GET') => ({ 'x-forwarded-uri': uri, 'x-forwarded-method': method });
/** What a visitor's browser sends when it follows a link from a mail, or submits a form of another site. */
const fromElsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://mail.example' };

const checks: [string, Record<string, string>][] = [
  ['an admitted visitor', { ...fromNginx(SEATS), ...hasWaited }],
  ['an admitted visitor, to Traefik', { ...fromTraefik(SEATS, 'POST'), ...hasWaited }],
  ['an admitted visitor who comes from another site', { ...fromNginx(SEATS), ...hasWaited, ...fromElsewhere }],
  ['an open page', fromNginx('/about?lang=ko')],
  ['a visitor without a token', { ...fromNginx(SEATS), ...signedIn }],
  ['a visitor without a token, to Traefik', { ...fromTraefik(SEATS), ...signedIn }],
  ['a page without a token', fromNginx('/events/concert')],
  ['a page without a token, to Caddy', fromTraefik('/events/concert')],
  ['an ambiguous path', fromNginx('/api//seats')],
  ['an ambiguous path, to Traefik', fromTraefik('/api//seats')],
  ['a method that is never passed', fromNginx('/', 'TRACE')],
  ['headers that disagree', { ...fromNginx(SEATS), ...fromTraefik('/health') }],
  ['nothing to check', {}],
  ['a trace id of the proxy', { ...fromNginx('/about'), 'x-request-id': 'trace-of-the-proxy-1' }],
];

async function listen(fastPath: 'on' | 'off') {
  const { url, context } = await runApp({ env: { ...secrets, HTTP_FAST_PATH: fastPath }, room: { maxActive: 1 } });
  await context.tier1.switching.activate('concert');
  return async (headers: Record<string, string>) => {
    const answer = await fetch(`${url}/gate/verify`, { headers, redirect: 'manual' });
    const { date: _, 'keep-alive': __, ...others } = Object.fromEntries(answer.headers);
    if (headers['x-request-id'] === undefined) delete others['x-request-id'];
    const text = (await answer.text()).replace(/"trace_id":"[^"]+"/, '');
    return { status: answer.status, headers: others, text };
  };
}

describe('/gate/verify', () => {
  it('answers the same with and without the fast path', async () => {
    const [fast, slow] = [await listen('on'), await listen('off')];
    for (const [what, headers] of checks) {
      const { 'content-type': type, ...answer } = (await slow(headers)).headers;
      const one = await fast(headers);
      expect([what, { ...one, headers: { ...one.headers, 'content-type': type } }]).toEqual([
        what,
        { ...(await slow(headers)), headers: { ...answer, 'content-type': type } },
      ]);
    }
  });

  it('has no body for nginx, which would close the connection', async () => {
    const fast = await listen('on');
    const answers = await Promise.all(checks.slice(0, 11).map(([, headers]) => fast(headers)));
    const ofNginx = answers.filter((_, i) => 'x-original-uri' in checks[i]![1]);
    expect(ofNginx.map(({ status }) => status)).toEqual([200, 200, 200, 403, 401, 403, 403]);
    expect(ofNginx.map(({ text }) => text)).toEqual(ofNginx.map(() => ''));
  });
});
