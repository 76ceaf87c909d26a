/** The frame around pages: error pages, icons, previews of links. */
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../support/test-app.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-mode': 'navigate' };

describe('a page that does not exist', () => {
  it('is an HTML page in the language of the visitor, with links to events and tickets', async () => {
    const { anyone } = await createTestApp();
    const answer = await anyone('GET', '/nonsense', { headers: { ...browser, 'accept-language': 'ko' } });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toContain('<html lang="ko">');
    expect(answer.body).toContain('페이지를 찾을 수 없습니다');
    expect(answer.body).toContain('href="/me"');
    const english = await anyone('GET', '/nonsense', { headers: browser });
    expect(english.body).toContain('Page not found');
  });

  it.each([
    ['a client that accepts anything', '/nonsense', { accept: '*/*' }],
    ['a script of a page', '/nonsense', { ...browser, 'sec-fetch-mode': 'cors' }],
    ['a browser at the API', '/api/nonsense', browser],
  ])('is JSON for %s', async (_name, url, headers) => {
    const { anyone } = await createTestApp();
    const answer = await anyone('GET', url, { headers });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().error.code).toBe('NOT_FOUND');
  });

  it('is also a page with a wrong method, and keeps the header Allow', async () => {
    const { anyone } = await createTestApp();
    const answer = await anyone('PUT', '/me', { headers: browser });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, expect.stringContaining('GET')]);
    expect(answer.body).toContain('This request did not work');
  });

  it('does not link to a shop where there is none', async () => {
    const { anyone } = await createTestApp({ SHOP: 'off' });
    const answer = await anyone('GET', '/nonsense', { headers: browser });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('href="/me"');
  });
});

it('shows an error of the server as a page with the reference of the log, and no details', async () => {
  const { app, anyone } = await createTestApp();
  app.get('/broken', { schema: { hide: true } }, () => {
    throw new Error('secret details');
  });
  const answer = await anyone('GET', '/broken', { headers: browser });
  expect(answer.statusCode).toBe(500);
  expect(answer.body).toContain(`Reference: ${answer.headers['x-request-id']}`);
  expect(answer.body).not.toContain('secret details');
  expect((await anyone('GET', '/broken')).json().error.code).toBe('INTERNAL');
});

describe('the icon', () => {
  it('is our mark in the accent colour, also at /favicon.ico', async () => {
    const { anyone } = await createTestApp();
    const svg = await anyone('GET', '/favicon.svg');
    expect(svg.headers['content-type']).toBe('image/svg+xml');
    expect(svg.body).toContain('#4338ca');
    const ico = await anyone('GET', '/favicon.ico');
    expect(ico.headers['content-type']).toBe('image/x-icon');
    expect(ico.rawPayload.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  });

  it.each(['/', '/admin', '/queue/concert', '/nonsense'])('is named by the page %s', async (url) => {
    const { anyone } = await createTestApp();
    expect((await anyone('GET', url, { headers: browser })).body).toContain('<link rel="icon" href="/favicon.svg">');
  });
});

describe('the preview of a link to an event', () => {
  it('is in the head of its page, escaped, with an absolute image', async () => {
    const { anyone, operator } = await createTestApp();
    const body = { title: 'Night "of" <Light>', artist: 'A & B', startsAt: '2026-06-01T10:00:00Z' };
    await operator('PUT', '/api/admin/events/concert', { body });
    const draft = await anyone('GET', '/events/concert');
    expect(draft.body).not.toContain('og:title');
    const standing = [{ id: 'floor', name: 'Floor', quantity: 20, price: 30_000 }];
    await operator('PUT', '/api/admin/layouts/hall', { body: { name: 'Hall', sections: [], standing } });
    await operator('POST', '/api/admin/events/concert/seats', { body: { layoutId: 'hall' } });
    await operator('POST', '/api/admin/events/concert/open');
    const page = await anyone('GET', '/events/concert', { headers: { host: 'tickets.example' } });
    expect(page.headers['cache-control']).toBe('public, max-age=60');
    expect(page.body).toContain('<meta property="og:title" content="Night &#34;of&#34; &#60;Light&#62;">');
    expect(page.body).toContain('<meta name="description" content="A &#38; B">');
    expect(page.body).toContain('content="http://tickets.example/posters/concert?size=og"');
    expect(page.body).not.toContain('<Light>');
  });
});
