/** In Chromium, through `fairline gate`: visitors of a site that nobody changed end on the page that they wanted. */
import type { ServerResponse } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import { runGate } from '../gate/proxy/run-gate.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const english = { locale: 'en-GB' };
const DEEP_LINK = '/shop/concert/seats/12?ref=mail&name=%EA%B0%80%26b';
const FORM = '/shop/concert/form?step=2';
/** Orders need a token; the form itself is open. */
const rules = {
  otherwise: 'pass',
  rules: [
    { path: '/shop/concert/form', require: 'none' },
    { path: '/shop/{eventId}/**', require: 'entry', answer: 'page' },
  ],
};
const tier1Rules = { otherwise: 'pass', rules: [{ path: '/shop/{eventId}/**', require: 'both', answer: 'page' }] };

/** A site with its own few paths. Everything else is 404. */
function answer(url: string, response: ServerResponse): void {
  const page = (text: string) => response.setHeader('content-type', 'text/html').end(`<h1>${text}</h1>`);
  const { pathname } = new URL(url, 'http://site');
  if (pathname === '/') page('Home');
  else if (pathname === '/shop/concert/seats/12') page('Seat 12');
  else if (pathname === '/shop/concert/hall') page('The hall');
  else if (pathname === '/shop/concert/form')
    page('Form<form method="post" action="/shop/concert/order"><button>Order');
  else response.writeHead(404).end('not found');
}

describeWithBrowser('a visitor of a site behind the gate', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function open(room: RoomChange = {}, options: { env?: Record<string, string>; rules?: object } = {}) {
    const env = { ...secrets, TRUST_PROXY: '127.0.0.1', ...options.env };
    const line = await runApp({ env, room: { maxActive: 0, ...room } });
    const site = await startSite((request, response) => answer(request.url!, response));
    const gateEnv = { GATE_UPSTREAM: site.url, GATE_LINE_URL: line.url };
    const gate = await runGate(gateEnv, options.rules ?? rules);
    const visit = async (path: string, browserOptions: BrowserContextOptions = english) => {
      const page = await openPage(browser, browserOptions);
      await page.goto(gate.url + path);
      return page;
    };
    const admit = () => line.context.line.rooms.putRoom('concert', { maxActive: 1 });
    return { ...line, site, gateUrl: gate.url, visit, admit };
  }

  const pathOf = (page: Page) => page.url().replace(new URL(page.url()).origin, '');
  const arrives = (page: Page, path: string) => page.waitForURL((url) => url.pathname + url.search === path);
  const isShown = (page: Page, id: string, text: string) =>
    until(`${id} to say ${text}`, async () => {
      const place = page.locator(`#${id}`);
      return (await place.count()) > 0 && (await place.innerText()).includes(text);
    });

  it('gets from a deep link over the wait to the very page', async () => {
    const { visit, admit } = await open({ target: '/shop/concert/hall' });
    const page = await visit(DEEP_LINK);
    expect(pathOf(page)).toBe(`/queue/concert?to=${encodeURIComponent(DEEP_LINK)}`);
    await isShown(page, 'number', '1');
    await admit();
    await arrives(page, DEEP_LINK);
    expect(await page.locator('h1').innerText()).toBe('Seat 12');
  });

  it('gets there after a reload, after leaving and joining again, and in a claim room', async () => {
    const { visit, admit } = await open({ admission: 'claim' });
    const page = await visit(DEEP_LINK);
    await isShown(page, 'number', '1');
    await page.reload();
    await isShown(page, 'number', '1');
    await page.locator('#leave').click();
    await page.locator('#question-yes').click();
    await isShown(page, 'say', 'You have left the line');
    await page.reload();
    await isShown(page, 'say', 'You have left the line');
    await page.locator('#join').click();
    await isShown(page, 'number', '2');
    await admit();
    await page.locator('#enter').click();
    await arrives(page, DEEP_LINK);
  });

  it('without JavaScript gets there too', async () => {
    const { visit, admit } = await open({ target: '/shop/concert/hall' });
    const page = await visit(DEEP_LINK, { ...english, javaScriptEnabled: false });
    await page.waitForURL(/plain=1/);
    await page.locator('button', { hasText: 'Join the line' }).click();
    await isShown(page, 'number', '1');
    await admit();
    await arrives(page, DEEP_LINK);
    expect(await page.locator('h1').innerText()).toBe('Seat 12');
  });

  it('who sends a form without a token comes back to the form', async () => {
    const { visit, admit, site } = await open({ target: '/shop/concert/hall' });
    const page = await visit(FORM);
    await page.locator('button').click();
    await page.waitForURL(/queue/);
    expect(pathOf(page)).toBe(`/queue/concert?to=${encodeURIComponent(FORM)}`);
    await isShown(page, 'number', '1');
    await admit();
    await arrives(page, FORM);
    expect(site.asked.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('waits in tier 1, then in tier 2, and ends on the very page', async () => {
    const { visit, admit, context } = await open({}, { rules: tier1Rules, env: { VWR_CYCLE_MS: '3600000' } });
    await context.tier1.switching.activate('concert');
    context.tier1.counters.forget('concert');
    const page = await visit(DEEP_LINK);
    expect(pathOf(page)).toBe(`/vwr/concert?to=${encodeURIComponent(DEEP_LINK)}`);
    await isShown(page, 'number', '1');
    await context.tier1.store.advanceTo('concert', 1);
    context.tier1.counters.forget('concert');
    await page.evaluate("dispatchEvent(new Event('online'))");
    await arrives(page, `/queue/concert?to=${encodeURIComponent(DEEP_LINK)}`);
    await isShown(page, 'number', '1');
    await admit();
    await arrives(page, DEEP_LINK);
  });

  it('of a link that wants another site, or the line again, ends on the target of the room', async () => {
    const links = [
      '//evil.example/x',
      '/\\evil.example',
      '/%5Cevil.example',
      '/%2F%2Fevil.example',
      '/.//evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      'https://evil.example/',
      'javascript:alert(1)',
      '/queue/concert',
      '/%71ueue/concert',
      '/vwr/concert',
    ];
    const { gateUrl } = await open({ maxActive: links.length, target: '/shop/{eventId}/hall' });
    for (const to of links) {
      const requested: string[] = [];
      const page = await openPage(browser, english);
      page.on('request', (request) => requested.push(new URL(request.url()).host));
      await page.goto(`${gateUrl}/queue/concert?to=${encodeURIComponent(to)}`);
      await arrives(page, '/shop/concert/hall');
      expect(new Set(requested), to).toEqual(new Set([new URL(gateUrl).host]));
      await page.close();
    }
  });

  it.each([
    ['en-GB', 'You are in', 'Go to the site'],
    ['ko-KR', '입장 완료', '사이트로 이동'],
  ])('reads in %s that they are in where no page is known, and can go home', async (locale, title, link) => {
    const { visit } = await open({ maxActive: 1 });
    const page = await visit('/queue/concert', { locale });
    await isShown(page, 'title', title);
    expect(await page.title()).toContain(title);
    await page.reload();
    await isShown(page, 'title', title);
    await page.locator('#link', { hasText: link }).click();
    await arrives(page, '/');
    expect(await page.locator('h1').innerText()).toBe('Home');
  });
});
