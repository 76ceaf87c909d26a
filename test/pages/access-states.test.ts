/** Every state of a page is accessible: at 400 % on a small screen, without motion, in forced colours, without a network. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { runApp } from '../support/running-app.ts';
import { createTestApp, secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { lostInForcedColours, pageProblems, zoomed } from './page-checks.ts';
import { shareShopDatabase } from './shop-site.ts';

vi.setConfig({ testTimeout: 180_000 });

const later = '2100-05-01T10:00:00Z';
const looks = [
  ['light, in English', { locale: 'en-GB', colorScheme: 'light' }],
  ['dark, in Korean', { locale: 'ko-KR', colorScheme: 'dark' }],
] as const;

describeWithBrowser('every state', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  const { openSite } = shareShopDatabase();
  const visit = async (url: string, options: BrowserContextOptions): Promise<Page> => {
    const page = await openPage(browser, { ...zoomed, ...options });
    await page.goto(url);
    return page;
  };
  const shown = (page: Page, selector: string) => page.locator(selector).first().waitFor();

  const rooms: [state: string, room: RoomChange, selector: string][] = [
    ['not open', { opensAt: later }, '#countdown'],
    ['before a draw', { order: 'draw', opensAt: later }, '#taking-part'],
    ['waiting', { maxActive: 0, message: { en: 'News', ko: '안내' } }, '#ahead'],
    ['paused', { maxActive: 0, state: 'paused' }, '.banner.paused'],
    ['closed', { state: 'closed' }, '.banner.danger'],
    ['accounts only', { joinRequires: 'account' }, '.banner'],
    ['your turn', { admission: 'claim', claimTtlMs: 600_000 }, '#time-left'],
  ];
  it.each(looks)('of the line is accessible, %s', async (_look, options) => {
    const { url, context } = await runApp();
    const found: string[] = [];
    for (const [state, room, selector] of rooms) {
      const eventId = state.replaceAll(' ', '-');
      await context.line.rooms.putRoom(eventId, room);
      const page = await visit(`${url}/queue/${eventId}`, options);
      await shown(page, selector);
      found.push(...(await pageProblems(page, state)));
      if (state === 'before a draw') {
        await page.goto(`${url}/draw/${eventId}`);
        await until('the draw', async () => (await page.locator('#status').innerText()) !== '');
        found.push(...(await pageProblems(page, 'the draw')));
      }
      if (state !== 'waiting') continue;
      await page.context().setOffline(true);
      await page.evaluate("dispatchEvent(new Event('online'))");
      await shown(page, '.banner.lost');
      found.push(...(await pageProblems(page, 'offline')));
    }
    const unknown = await visit(`${url}/queue/nothing`, options);
    await shown(unknown, '.banner.danger');
    found.push(...(await pageProblems(unknown, 'unknown event')));
    expect(found).toEqual([]);
  });

  it.each(looks)('of the shop is accessible, %s', async (_look, options) => {
    const { url, eventId } = await openSite();
    const found: string[] = [];
    const page = await visit(`${url}/queue/${eventId}`, options);
    const judge = async (state: string, selector: string) => {
      await shown(page, selector);
      found.push(...(await pageProblems(page, state)));
    };
    await page.waitForURL(/\/seats$/);
    await judge('seats', 'canvas');
    await page.route('**/api/seats/**', (route) => route.abort());
    await page.reload();
    await judge('seats, server away', '.banner.warning');
    await page.route('**/api/**', (route) => route.abort());
    await page.reload();
    await judge('session unknown, server away', '.notice.warn');
    for (const path of [
      '/',
      `/events/${eventId}`,
      '/me',
      `/events/${eventId}/book`,
      '/checkout/r_1',
      '/reservations/r_1',
    ]) {
      await page.goto(url + path);
      await judge(`${path}, server away`, '.notice, .banner');
    }
    await page.unrouteAll();
    await page.goto(`${url}/membership`);
    await judge('membership', 'main .card, main .notice, main .banner');
    for (const path of ['/nonsense', '/sign-in', '/forgot-password', '/find-ticket']) {
      await page.goto(url + path);
      await judge(path, 'h1');
    }
    const { app, anyone } = await createTestApp();
    app.get('/broken', { schema: { hide: true } }, () => {
      throw new Error('broken');
    });
    const headers = { accept: 'text/html', 'accept-language': options.locale };
    const { body } = await anyone('GET', '/broken', { headers });
    await page.route('**/broken', (route) => route.fulfill({ status: 500, contentType: 'text/html', body }));
    await page.goto(`${url}/broken`);
    await judge('error of the server', '.error-reference');
    expect(found).toEqual([]);
  });

  it.each(looks)('of the operator page is accessible, %s', async (_look, options) => {
    const { url, eventId, context } = await openSite({ env: { ADMIN_TOKEN: secrets.ADMIN_TOKEN } });
    const { rooms: line } = context.line;
    const found: string[] = [];
    const page = await visit(`${url}/admin`, options);
    const judge = async (state: string, selector: string) => {
      await shown(page, selector);
      found.push(...(await pageProblems(page, state)));
    };
    const turnTo = (hash: string) => page.evaluate(`location.hash = '${hash}'`);
    await page.fill('#token', 'wrong');
    await page.keyboard.press('Enter');
    await judge('wrong token', '#token-problem:not([hidden])');
    await page.fill('#token', secrets.ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await line.putRoom('concert', { maxActive: 0 });
    await context.line.visits.join('concert', 'ann');
    await judge('overview with an alarm', '#rooms .alarms li');
    await turnTo('#/rooms/concert');
    await shown(page, '#pause');
    await page.locator('.fold > summary').click();
    await judge('a room, unfolded', '#settings');
    await page.fill('#find-visitor', 'ann');
    await page.keyboard.press('Enter');
    await until('the visitor', async () => (await page.locator('#visitor-why').innerText()) !== '');
    await judge('a visitor', '#eject');
    await page.click('#pause');
    await judge('confirmation', 'dialog[open]');
    await page.keyboard.press('Escape');
    for (const [state, room] of Object.entries<RoomChange>({
      paused: { state: 'paused' },
      closed: { state: 'closed' },
      'not open': { state: null, opensAt: later },
    })) {
      await line.putRoom('concert', room);
      await page.reload();
      await judge(`a room that is ${state}`, 'h1 .badge');
    }
    for (const [hash, selector] of [
      [`#/rooms/${eventId}`, '#sales tbody tr'],
      ['#/events', '#events .card'],
      [`#/events/${eventId}`, '#event-form'],
      [`#/layouts/${eventId}`, '#preview'],
      ['#/stats', '#stats-charts'],
      [`#/stats/${eventId}`, '#stats'],
      ['#/audit', '#audit li'],
      ['#/operators', '#keys-panel'],
      ['#/account', '#factor'],
      ['#/nothing', 'h1'],
    ] as const) {
      await turnTo(hash);
      await judge(hash, selector);
    }
    await page.context().setOffline(true);
    await judge('offline', '.live.stale');
    expect(found).toEqual([]);
  });

  it('keeps its controls visible in forced colours', async () => {
    const { url, eventId, context } = await openSite({ env: { ADMIN_TOKEN: secrets.ADMIN_TOKEN } });
    const page = await visit(`${url}/`, { locale: 'en-GB', forcedColors: 'active' });
    const lost: string[] = [];
    const judge = async (selector: string) => {
      await shown(page, selector);
      lost.push(...(await lostInForcedColours(page)));
    };
    await judge('.event-card');
    await page.goto(`${url}/events/${eventId}`);
    await judge('.facts');
    await context.line.rooms.putRoom(eventId, { maxActive: 0 });
    await page.goto(`${url}/queue/${eventId}`);
    await judge('progress:not([hidden])');
    await context.line.rooms.putRoom(eventId, { maxActive: 10 });
    await page.waitForURL(/\/seats$/);
    await judge('canvas');
    await page.locator('.best button[type=submit]').click();
    await page.locator('.banner.held a').click();
    await judge('.methods');
    await page.goto(`${url}/admin#/rooms/${eventId}`);
    await page.fill('#token', secrets.ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await judge('#sales tbody tr');
    await page.goto(`${url}/admin#/layouts/${eventId}`);
    await judge('#preview');
    expect(lost).toEqual([]);
  });

  it('reads out how long the session lasts when little time is left', async () => {
    const { url, eventId } = await openSite({ room: { renew: false, activeTtlMs: 100_000 } });
    const page = await visit(`${url}/queue/${eventId}`, { locale: 'en-GB' });
    await page.waitForURL(/\/seats$/);
    const told = page.locator('.title-row [role=status]');
    await until('the time', async () => (await told.innerText()).includes('2:00'));
  });
});
