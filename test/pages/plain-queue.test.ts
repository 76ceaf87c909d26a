/** The waiting pages without JavaScript keep the wanted page through joining, leaving, tier 1 and admission. */
import { describe, expect, it } from 'vitest';
import { runAdmitterOnce } from '../../src/line/roles/admitter.ts';
import { cookiesOf, createTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const WANTED = "/shop/concert/12?ref=mail&name=o'brien";
const TO = `to=${encodeURIComponent(WANTED)}`;

async function openPages(room: object = {}, env: Record<string, string> = {}) {
  const test = await createTestApp({ SHOP: 'off', ...env });
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 0, ...room } });
  const jar: Record<string, string> = {};
  const visit = async (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) => {
    const cookie = Object.entries(jar)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const response = await test.anyone(method, url, { headers: { accept: 'text/html', cookie, ...headers } });
    Object.assign(jar, cookiesOf(response));
    return response;
  };
  const admit = async () => {
    await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1 } });
    await runAdmitterOnce({ ...test.context.line, metrics: test.context.lineMetrics });
  };
  return { ...test, visit, admit };
}

const toText = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
/** The actions of the forms on a page. */
const actionsOf = (html: string) => [...html.matchAll(/action="([^"]*)"/g)].map(([, action]) => toText(action!));

describe('the waiting page without JavaScript', () => {
  it('learns the wanted page from the URL of the static page that redirected to it', async () => {
    const { visit } = await openPages();
    const fromStatic = (query: string) =>
      visit('GET', '/queue/concert?plain=1', { referer: `http://localhost/queue/concert?${query}` });
    expect((await fromStatic(TO)).headers.location).toBe(`/queue/concert?plain=1&${TO}`);
    for (const query of ['', 'to=', 'to=%2F%2Fevil.example', 'to=%2Fqueue%2Fconcert']) {
      expect((await fromStatic(query)).statusCode, query).toBe(200);
    }
    const elsewhere = await visit('GET', '/queue/concert?plain=1', { referer: `http://localhost/shop?${TO}` });
    expect(elsewhere.statusCode).toBe(200);
  });

  it('keeps it through joining, leaving and joining again, and goes there on admission', async () => {
    const { visit, admit } = await openPages({ target: '/room' });
    const first = await visit('GET', `/queue/concert?plain=1&${TO}`);
    expect(actionsOf(first.payload)).toEqual([`/queue/concert?do=join&${TO}`]);
    const joined = await visit('POST', actionsOf(first.payload)[0]!);
    expect(joined.headers.location).toBe(`/queue/concert?plain=1&${TO}`);
    const waiting = await visit('GET', joined.headers.location as string);
    expect(actionsOf(waiting.payload)).toEqual([`/queue/concert?do=leave&${TO}`]);
    const left = await visit('POST', actionsOf(waiting.payload)[0]!);
    expect(left.headers.location).toBe(`/queue/concert?plain=1&left=1&${TO}`);
    const again = await visit('GET', left.headers.location as string);
    expect((await visit('POST', actionsOf(again.payload)[0]!)).headers.location).toBe(joined.headers.location);
    await admit();
    const admitted = await visit('GET', joined.headers.location as string);
    expect([admitted.statusCode, admitted.headers.location]).toEqual([303, WANTED]);
  });

  it.each(['//evil.example', '/\\evil.example', '/.//evil.example', '/queue/concert', '/a\tb'])(
    'goes to the target of the room instead of %j',
    async (to) => {
      const { visit, admit } = await openPages({ target: '/room/{eventId}' });
      const page = `/queue/concert?plain=1&to=${encodeURIComponent(to)}`;
      const first = await visit('GET', page);
      expect(actionsOf(first.payload)).toEqual(['/queue/concert?do=join']);
      await visit('POST', `/queue/concert?do=join&to=${encodeURIComponent(to)}`);
      await admit();
      expect((await visit('GET', page)).headers.location).toBe('/room/concert');
    },
  );

  it.each([
    ['ko', '입장 완료', '사이트로 이동'],
    ['en', 'You are in', 'Go to the site'],
  ])('says in %s that the visitor is in where there is no target', async (language, title, link) => {
    const { visit, admit } = await openPages();
    await visit('POST', '/queue/concert?do=join');
    await admit();
    const page = await visit('GET', '/queue/concert?plain=1', { 'accept-language': language });
    expect(page.statusCode).toBe(200);
    expect(cookiesOf(page)).toHaveProperty('urr-entry-token');
    expect(page.payload).toContain(`<h1>${title}</h1>`);
    expect(page.payload).toContain(`<a href="/">${link}</a>`);
    expect(page.payload).not.toContain('http-equiv="refresh"');
  });

  it('keeps the wanted page where the visitor must sign in first', async () => {
    const { visit } = await openPages({ joinRequires: 'account' }, { SHOP: 'on' });
    const refused = await visit('POST', `/queue/concert?do=join&${TO}`);
    const inQueue = `/queue/concert?${TO}`;
    expect(toText(refused.payload)).toContain(`/sign-in?to=${encodeURIComponent(inQueue)}`);
  });
});

describe('the tier 1 page without JavaScript', () => {
  it('passes the wanted page on to the line', async () => {
    const { visit, context } = await openPages();
    await context.tier1.switching.activate('concert');
    const taken = await visit('POST', `/vwr/concert?${TO}`);
    expect(taken.headers.location).toBe(`/vwr/concert?plain=1&${TO}`);
    const waiting = await visit('GET', taken.headers.location as string);
    expect(waiting.statusCode).toBe(200);
    await context.tier1.store.advanceTo('concert', 1);
    const called = await until('the number to come up', async () => {
      const { statusCode, headers } = await visit('GET', taken.headers.location as string);
      return statusCode === 303 ? headers.location : undefined;
    });
    expect(called).toBe(`/queue/concert?${TO}`);
  });

  it('passes it on from a visitor without a place, and where tier 1 is off', async () => {
    const { visit } = await openPages();
    expect((await visit('GET', `/vwr/concert?plain=1&${TO}`)).headers.location).toBe(`/vwr/concert?${TO}`);
    expect((await visit('POST', `/vwr/concert?${TO}`)).headers.location).toBe(`/queue/concert?${TO}`);
    expect((await visit('POST', '/vwr/concert?to=%2F%2Fevil.example')).headers.location).toBe('/queue/concert');
  });
});
