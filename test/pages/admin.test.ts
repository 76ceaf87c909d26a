/** The operator page in a real browser against the running program. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import { axeViolations } from '../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { type PostgresDatabases, sharedPostgres } from '../support/postgres-server.ts';
import { type RunningAppOptions, runApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const english = { locale: 'en-GB' };
const korean = { locale: 'ko-KR' };

describeWithBrowser('the operator page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function open(room: RoomChange = { maxActive: 0 }, env: RunningAppOptions['env'] = {}) {
    const target = { QUEUE_TARGET: '/events/{eventId}/seats' };
    const running = await runApp({ room, env: { ADMIN_TOKEN: secrets.ADMIN_TOKEN, ...target, ...env } });
    const { line } = running.context;
    const visit = async (options: BrowserContextOptions = english, hash = '', { isFolded = false } = {}) => {
      const page = await openPage(browser, options);
      // As an operator who has opened the advanced settings before in this tab.
      if (!isFolded)
        await page.addInitScript(
          "sessionStorage.getItem('fairline-open-advanced') ?? sessionStorage.setItem('fairline-open-advanced', 'yes')",
        );
      await page.goto(`${running.url}/admin${hash}`);
      return page;
    };
    const signIn = async (options: BrowserContextOptions = english, hash = '#/rooms/concert', how = {}) => {
      const page = await visit(options, hash, how);
      await page.fill('#token', secrets.ADMIN_TOKEN);
      await page.keyboard.press('Enter');
      await page.waitForSelector('#sign-out');
      return page;
    };
    const waitingPage = async () => {
      const page = await openPage(browser, english);
      await page.goto(`${running.url}/queue/concert`);
      await isShown(page, '#number', '');
      return page;
    };
    const overridesNow = async () => (await line.rooms.findRoom('concert'))!.overrides;
    return { ...running, line, visit, signIn, waitingPage, overridesNow };
  }

  const isShown = (page: Page, place: string, text: string) =>
    until(`${place} to say ${text}`, async () => {
      const found = page.locator(place).first();
      return (await found.count()) > 0 && (await found.isVisible()) && (await found.innerText()).includes(text);
    });
  const confirmBy = async (page: Page, word?: string) => {
    await page.waitForSelector('dialog[open]');
    if (word !== undefined) await page.fill('#question-word', word);
    await page.click('dialog [type=submit]');
  };

  it('signs in with the token, stays signed in over a reload, and signs out', async () => {
    const { visit, url } = await open();
    const page = await visit();
    await page.fill('#token', 'not-the-token');
    await page.keyboard.press('Enter');
    await isShown(page, '#token-problem', 'not the operator token');
    expect(await page.locator('#rooms').count()).toBe(0);
    await page.fill('#token', secrets.ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await isShown(page, '#rooms', 'concert');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'fairline-operator', httpOnly: true, sameSite: 'Strict' });
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])');
    expect(kept).not.toContain(secrets.ADMIN_TOKEN);
    await page.reload();
    await isShown(page, '#rooms', 'concert');
    await page.click('#sign-out');
    await page.waitForSelector('#token');
    expect(await page.context().cookies()).toEqual([]);
    const headers = { cookie: `${cookie!.name}=${cookie!.value}` };
    expect((await fetch(`${url}/api/admin/rooms`, { headers })).status).toBe(401);
    await page.reload();
    await page.waitForSelector('#token');
  });

  it.each([
    ['in English', english, 'set TRUST_PROXY=127.0.0.1 and restart'],
    ['in Korean', korean, 'TRUST_PROXY=127.0.0.1로 설정한 뒤'],
  ])('says which setting to change if a proxy is not trusted, %s', async (_language, options, text) => {
    const { url, signIn } = await open();
    const page = await signIn(options, '');
    await isShown(page, '#rooms', 'concert');
    expect(await page.locator('#address-alarms').isVisible()).toBe(false);
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    await fetch(`${url}/api/queue/check/concert`, { method: 'POST', headers });
    await isShown(page, '#address-alarms', text);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('shows the sign-in form when the session has ended', async () => {
    const { signIn } = await open();
    const page = await signIn();
    await page.context().clearCookies();
    await isShown(page, '#sign-in', 'session has ended');
  });

  it('pauses and resumes the line, as waiting visitors see', async () => {
    const { signIn, waitingPage, line } = await open({ maxActive: 1 });
    await line.visits.join('concert', 'somebody inside');
    const waiting = await waitingPage();
    const page = await signIn();
    await page.click('#pause');
    await isShown(page, 'dialog', '1 visitors are waiting');
    await page.click('dialog [type=submit]');
    await isShown(waiting, '#say', 'has paused the line');
    await isShown(page, 'h1', 'Paused');
    await isShown(page, '#alarms', 'while the room is paused');
    await page.click('#resume');
    await isShown(waiting, '#say', 'automatically');
    await isShown(page, 'h1', 'Open');
  });

  it('focuses no control when it opens, so that Enter changes nothing', async () => {
    const { signIn, waitingPage, line } = await open({ maxActive: 0 });
    await waitingPage();
    const page = await signIn();
    await page.waitForSelector('#pause:not([hidden])');
    await page.reload();
    await page.waitForSelector('#pause:not([hidden])');
    expect(await page.evaluate('document.activeElement.id')).not.toBe('pause');
    await page.keyboard.press('Enter');
    await page.click('#close');
    await isShown(page, 'dialog', '1 visitors are waiting');
    expect((await line.rooms.findRoom('concert'))?.crowd.phase).toBe('open');
  });

  it('raises the limit, which admits the next visitor', async () => {
    const { signIn, waitingPage } = await open({ maxActive: 0 });
    const waiting = await waitingPage();
    const page = await signIn();
    await isShown(page, '#alarms', 'limit is 0');
    await page.fill('#limit', '1');
    await page.click('#set-limit');
    await waiting.waitForURL((url) => url.pathname === '/events/concert/seats');
    await isShown(page, '.facts.large', '1 / 1');
  });

  it('shows problems at their fields and saves nothing', async () => {
    const { signIn, overridesNow } = await open({ maxActive: 7 });
    const page = await signIn();
    await until('the settings', async () => (await page.inputValue('#setting-maxActive')) === '7');
    await page.fill('#limit', '-3');
    await page.click('#set-limit');
    await isShown(page, '#limit-problem', 'Enter 0 or more');
    await page.fill('#setting-claimTtlMs', '0.5');
    await page.click('#review');
    await isShown(page, '#setting-claimTtlMs-problem', 'Allowed: 1 to 86,400');
    expect(await page.getAttribute('#setting-claimTtlMs', 'aria-invalid')).toBe('true');
    // Problems found by the server are shown at their fields too.
    await page.fill('#setting-claimTtlMs', '');
    await page.fill('#setting-burst', '5');
    await page.click('#review');
    await confirmBy(page);
    await isShown(page, '#setting-burst-problem', 'Set “Admitted per second” as well');
    expect(await overridesNow()).toEqual({ maxActive: 7 });
  });

  it('reviews changes before saving, and resets a setting to its default', async () => {
    const { signIn, overridesNow } = await open({ maxActive: 7, minWaitMs: 5_000 });
    const page = await signIn();
    await until('the settings', async () => (await page.inputValue('#setting-minWaitMs')) === '5');
    await page.fill('#setting-maxActive', '70');
    await page.fill('#setting-minWaitMs', '');
    await page.selectOption('#setting-renew', 'false');
    await page.fill('#setting-opensAt', '2100-05-01T10:00:00');
    await page.click('#review');
    const changes = await page.locator('#changes tbody tr').allInnerTexts();
    expect(changes.map((text) => text.split(/\s*\t\s*/)[0]).sort()).toEqual(
      ['Maximum inside', 'Opens at', 'Renew sessions', 'Shortest wait'].sort(),
    );
    expect(changes.find((text) => text.includes('Maximum inside'))).toMatch(/7\s+70/);
    expect(await overridesNow()).toEqual({ maxActive: 7, minWaitMs: 5_000 });
    await confirmBy(page);
    await isShown(page, '#status', 'Saved');
    const opensAt = await page.evaluate("new Date('2100-05-01T10:00:00').toISOString()");
    expect(await overridesNow()).toEqual({ maxActive: 70, renew: false, opensAt });
    await isShown(page, 'h1', 'Opens later');
  });

  it('sets the target of a room, and shows at its field why one is not allowed', async () => {
    const { signIn, overridesNow } = await open({ maxActive: 7 });
    const page = await signIn();
    await until('the settings', async () => (await page.inputValue('#setting-maxActive')) === '7');
    for (const [target, problem] of [
      ['//evil.example', 'Enter a path on this site'],
      ['/queue/{eventId}', 'Must not be a waiting page'],
    ] as const) {
      await page.fill('#setting-target', target);
      await page.click('#review');
      await confirmBy(page);
      await isShown(page, '#setting-target-problem', problem);
    }
    await page.fill('#setting-target', '/shop/{eventId}?from=line');
    await page.click('#review');
    await confirmBy(page);
    await isShown(page, '#status', 'Saved');
    expect(await overridesNow()).toEqual({ maxActive: 7, target: '/shop/{eventId}?from=line' });
  });

  it('shows a message to waiting visitors, and removes it', async () => {
    const { signIn, waitingPage, overridesNow } = await open();
    const waiting = await waitingPage();
    const page = await signIn();
    await page.fill('#message-en', 'Doors at seven');
    await page.click('#send-message');
    await isShown(waiting, '#notes', 'Doors at seven');
    await page.fill('#message-en', '');
    await page.click('#send-message');
    await until('the message to go', async () => (await overridesNow()).message === undefined);
  });

  it('closes only after confirmation, and removes everyone only after a typed word', async () => {
    const { signIn, waitingPage, line, overridesNow } = await open();
    await waitingPage();
    const page = await signIn();
    await page.click('#close');
    await page.keyboard.press('Escape');
    expect((await overridesNow()).state).toBeUndefined();
    await page.click('#close');
    await confirmBy(page);
    await isShown(page, 'h1', 'Closed');
    await page.click('#clear');
    await page.waitForSelector('dialog[open]');
    expect(await page.isDisabled('dialog [type=submit]')).toBe(true);
    await page.fill('#question-word', 'another');
    expect(await page.isDisabled('dialog [type=submit]')).toBe(true);
    expect((await line.rooms.findRoom('concert'))!.crowd.waiting).toBe(1);
    await confirmBy(page, 'concert');
    await isShown(page, '#status', '1 waiting');
    expect((await line.rooms.findRoom('concert'))!.crowd.waiting).toBe(0);
  });

  it('switches tier 1 on, advances it, and switches it off', async () => {
    const { signIn, context } = await open({ maxActive: 0 }, { VWR_BATCH_SIZE: '1', VWR_CYCLE_MS: '3600000' });
    const page = await signIn();
    await isShown(page, '#tier1', 'off');
    await page.click('#activate');
    await confirmBy(page);
    await page.waitForSelector('#advance');
    await context.tier1.store.assign('concert', ['a', 'b', 'c', 'd']);
    await isShown(page, '#tier1 .facts', '4');
    await page.fill('#advance-by', '0');
    await page.click('#advance');
    await isShown(page, '#advance-by-problem', 'Enter 1 or more');
    await page.fill('#advance-by', '3');
    await page.click('#advance');
    await isShown(page, '#status', 'Served up to');
    await page.click('#deactivate');
    await confirmBy(page);
    await isShown(page, '#activate', 'Switch on');
  });

  it('shows the draw of a room', async () => {
    const { signIn, line } = await open({ order: 'draw', opensAt: '2100-05-01T10:00:00Z' });
    const page = await signIn();
    await isShown(page, '#draw', (await line.draws.findDraw('concert'))!.commitment);
    await isShown(page, '#draw', 'announced');
    expect(await page.getAttribute('#draw a', 'href')).toBe('/draw/concert');
  });

  it('shows before a draw that one address took many lots', async () => {
    const { signIn, url } = await open({ order: 'draw', opensAt: '2100-05-01T10:00:00Z' });
    for (let i = 0; i < 12; i += 1) await fetch(`${url}/api/queue/check/concert`, { method: 'POST' });
    const page = await signIn();
    await isShown(page, '#sources-say', 'One address has 12 lots');
    expect(await page.locator('#sources-chart rect').count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('draws charts of the last minutes, even after a reload', async () => {
    const { signIn, line } = await open();
    for (const visitor of ['a', 'b', 'c']) await line.visits.join('concert', visitor);
    const page = await signIn();
    const pointsOf = async (id: string) => {
      const path = await page.locator(`#${id} path.line`).first().getAttribute('d');
      return path?.match(/[ML]/g)?.length ?? 0;
    };
    const charts = ['waiting', 'inside', 'rate', 'no-shows'].map((name) => `chart-${name}`);
    for (const chart of charts) await until(`points on ${chart}`, async () => (await pointsOf(chart)) >= 2);
    await isShown(page, '#chart-waiting', '3');
    expect(await page.locator('#chart-waiting svg').getAttribute('aria-label')).toContain('3');
    const before = await pointsOf('chart-waiting');
    await page.reload();
    await until('the same points', async () => (await pointsOf('chart-waiting')) >= before);
  });

  it('creates a room, refuses an invalid id, and records both in the audit trail', async () => {
    const { signIn } = await open();
    const page = await signIn(english, '#/');
    await page.fill('#new-room', 'not an id');
    await page.keyboard.press('Enter');
    await isShown(page, '#new-room-problem', 'Letters, digits');
    await page.fill('#new-room', 'concert');
    await page.keyboard.press('Enter');
    await isShown(page, '#new-room-problem', 'already');
    await page.fill('#new-room', 'play');
    await page.keyboard.press('Enter');
    await isShown(page, 'h1', 'play');
    await isShown(page, '#audit', 'Created the room');
    await page.click('nav a[href="#/audit"]');
    await isShown(page, '#audit', 'Signed in');
    expect(await page.locator('nav a[href="#/events"]').count()).toBe(0);
  });

  it('keeps everyday controls in view and folds the rest, which opens by keyboard', async () => {
    const { signIn } = await open({ maxActive: 7 });
    const page = await signIn(english, '#/rooms/concert', { isFolded: true });
    await page.waitForSelector('#limit');
    for (const id of ['#rate', '#pause', '#close', '#message-until', '#schedule-at']) {
      expect(await page.isVisible(id), id).toBe(true);
    }
    expect(await page.isVisible('#setting-claimTtlMs')).toBe(false);
    await page.focus('#advanced > summary');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#setting-claimTtlMs');
    await page.reload();
    await page.waitForSelector('#setting-claimTtlMs');
  });

  it('sets the rate, and removes it with an empty field', async () => {
    const { signIn, overridesNow } = await open({ maxActive: 7 });
    const page = await signIn();
    await page.fill('#rate', '2.5');
    await page.click('#set-rate');
    await until('the rate', async () => (await overridesNow()).admitPerSecond === 2.5);
    await page.fill('#rate', '');
    await page.click('#set-rate');
    await until('no rate', async () => (await overridesNow()).admitPerSecond === undefined);
  });

  it('sends the end of a message only if it has one', async () => {
    const { signIn } = await open();
    const page = await signIn();
    const sent: unknown[] = [];
    await page.route('**/api/admin/rooms/concert', (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ json: {} });
    });
    await page.fill('#message-en', 'Doors at seven');
    await page.click('#send-message');
    await until('the message', async () => sent.length === 1);
    // The room, which has no message here, is shown again after each change.
    await page.fill('#message-en', 'Doors at seven');
    await page.fill('#message-until', '2100-05-01T10:00:00');
    await page.click('#send-message');
    await until('the message with its end', async () => sent.length === 2);
    const until2100 = await page.evaluate("new Date('2100-05-01T10:00:00').toISOString()");
    expect(sent).toEqual([
      { message: { en: 'Doors at seven' } },
      { message: { en: 'Doors at seven', until: until2100 } },
    ]);
  });

  it('schedules a change, applies it at its time, and names who scheduled it', async () => {
    const { signIn, overridesNow } = await open({ maxActive: 7 });
    const page = await signIn();
    const inSeconds = async (seconds: number) =>
      (await page.evaluate(
        `new Date(Date.now() + ${seconds} * 1000 - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 19)`,
      )) as string;
    await page.fill('#schedule-at', '2000-01-01T00:00:00');
    await page.fill('#schedule-value', '800');
    await page.click('#schedule-add [type=submit]');
    await isShown(page, '#schedule-at-problem', 'in the future');
    await page.fill('#schedule-at', await inSeconds(3_600));
    await page.click('#schedule-add [type=submit]');
    await isShown(page, '#scheduled-list', 'Maximum inside → 800');
    await page.click('#scheduled-list button');
    await confirmBy(page);
    await until('the cancelled change', async () => (await page.locator('#scheduled-list li').count()) === 0);
    await page.fill('#schedule-at', await inSeconds(6));
    await page.fill('#schedule-value', '900');
    await page.click('#schedule-add [type=submit]');
    await until('the new limit', async () => (await overridesNow()).maxActive === 900);
    await isShown(page, '#audit', 'Scheduled change by admin-token: Maximum inside 7 → 900');
  });

  it('draws a crosshair with values by keyboard, marks changes, shows a table and other periods', async () => {
    const { signIn, line } = await open();
    await line.visits.join('concert', 'a');
    const page = await signIn();
    await page.fill('#limit', '0');
    await page.click('#set-limit');
    await isShown(page, '#charts .changes', 'Maximum inside 0 → 0');
    await until('several points', async () => Number(await page.getAttribute('#chart-time', 'max')) >= 2);
    await until('the marker', async () => (await page.locator('#chart-waiting .mark').getAttribute('d')) !== '');
    await page.focus('#chart-time');
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('#chart-waiting .cross').getAttribute('d')).not.toBe('');
    expect(await page.getAttribute('#chart-time', 'aria-valuetext')).toContain('Waiting 1');
    await page.click('#chart-table summary');
    await page.waitForSelector('#chart-table tbody tr');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download-csv')]);
    expect(download.suggestedFilename()).toBe('concert-live.csv');
    await page.click('#span-hour');
    expect(await page.getAttribute('#span-hour', 'aria-pressed')).toBe('true');
    expect(await axeViolations(page)).toEqual([]);
  });

  it('shows the audit trail as sentences, and filters it', async () => {
    const { signIn } = await open({ maxActive: 100 });
    const page = await signIn();
    await page.fill('#limit', '5');
    await page.click('#set-limit');
    await isShown(page, '#audit', 'Maximum inside 100 → 5');
    await page.click('nav a[href="#/audit"]');
    await isShown(page, '#audit', 'Signed in');
    await page.selectOption('#audit-kind', 'room');
    await until('only settings', async () => !(await page.innerText('.audit-list')).includes('Signed in'));
    expect(await page.innerText('.audit-list')).toContain('Maximum inside 100 → 5');
    await page.selectOption('#audit-room', 'concert');
    await page.selectOption('#audit-time', { label: 'Last hour' });
    await page.selectOption('#audit-by', 'admin-token');
    await isShown(page, '.audit-list', 'Maximum inside 100 → 5');
    await page.selectOption('#audit-kind', 'team');
    await isShown(page, '#audit', 'No entries match');
  });

  it('shows rooms with alarms first, in full screen without navigation', async () => {
    const { signIn, line } = await open({ maxActive: 5 });
    await line.rooms.putRoom('zebra', { maxActive: 0 });
    await line.visits.join('zebra', 'a');
    const page = await signIn(english, '#/');
    await isShown(page, '#rooms li', 'zebra');
    await isShown(page, '#rooms li .alarms', 'limit is 0');
    await isShown(page, '#totals', '1');
    await page.click('#wall');
    expect(await page.isVisible('nav')).toBe(false);
    expect(await axeViolations(page)).toEqual([]);
    await page.click('#wall');
    await page.waitForSelector('nav');
  });

  it('explains where a visitor stands and extends their session', async () => {
    const { signIn, line } = await open({ maxActive: 1 });
    await line.visits.join('concert', 'inside');
    await line.visits.join('concert', 'next');
    const page = await signIn();
    await page.fill('#find-visitor', 'next');
    await page.keyboard.press('Enter');
    await isShown(page, '#visitor-why', '1 of 1 are inside');
    await page.fill('#find-visitor', 'inside');
    await page.keyboard.press('Enter');
    await isShown(page, '#visitor-why', 'session ends at');
    await page.click('#extend');
    await isShown(page, '#status', 'session now ends at');
  });

  it('fits 320 px, and shows its borders in forced colours', async () => {
    const { signIn } = await open({ maxActive: 5 });
    const page = await signIn({ ...english, viewport: { width: 320, height: 700 }, forcedColors: 'active' });
    await page.waitForSelector('#limit');
    for (const hash of ['#/rooms/concert', '#/', '#/audit']) {
      await page.evaluate(`location.hash = '${hash}'`);
      await page.locator('h1').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), hash).toBe(true);
    }
  });

  it('shows when the server does not respond, and recovers', async () => {
    const { signIn } = await open();
    const page = await signIn(english, '#/');
    await isShown(page, '#live', 'Live');
    await page.context().setOffline(true);
    await isShown(page, '#live', 'No response');
    await page.context().setOffline(false);
    await isShown(page, '#live', 'Live');
  });

  it('switches languages', async () => {
    const { signIn } = await open();
    const page = await signIn(korean, '#/');
    await isShown(page, 'h1', '대기실');
    expect(await page.getAttribute('html', 'lang')).toBe('ko');
    await page.click('#language');
    await isShown(page, 'h1', 'Rooms');
  });

  it('is not cacheable, cannot be framed, and runs only its own script', async () => {
    const { url } = await open();
    const answer = await fetch(`${url}/admin`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(await answer.text()).not.toContain('concert');
  });

  it('refuses changes requested by another site', async () => {
    const { signIn, url, overridesNow } = await open({ maxActive: 7 });
    const page = await signIn();
    const [cookie] = await page.context().cookies();
    const headers = { 'content-type': 'application/json', cookie: `${cookie!.name}=${cookie!.value}` };
    const body = JSON.stringify({ maxActive: 9 });
    for (const origin of [{}, { origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await fetch(`${url}/api/admin/rooms/concert`, {
        method: 'PUT',
        headers: { ...headers, ...origin } as Record<string, string>,
        body,
      });
      expect(answer.status).toBe(403);
    }
    expect(await overridesNow()).toEqual({ maxActive: 7 });
  });

  describe('with a shop', () => {
    let server: PostgresDatabases;
    beforeAll(async () => {
      server = await sharedPostgres();
    });

    const hall = {
      name: 'Hall',
      sections: [{ id: 'A', name: 'Stalls', rows: 3, seatsPerRow: 4, price: 900 }],
      standing: [{ id: 'floor', name: 'Floor', quantity: 10, price: 500 }],
    };
    const openShop = async () => {
      const running = await open({ maxActive: 5 }, { SHOP: 'on', DATABASE_URL: await server.createDatabase() });
      const { events, holds } = running.context.shop!;
      const sell = async () => {
        await events.putLayout('hall', hall);
        await events.putEvent('concert', { title: 'Great concert', startsAt: '2100-05-01T10:00:00Z' });
        await events.generateSeats('concert', 'hall');
        await events.openEvent('concert');
      };
      return { ...running, events, holds, sell };
    };

    it('cancels an event after a typed word', async () => {
      const { signIn, sell } = await openShop();
      await sell();
      const page = await signIn(english, '#/events/concert');
      await isShown(page, 'h1', 'On sale');
      await page.click('#cancel');
      await page.waitForSelector('dialog[open]');
      expect(await page.isDisabled('dialog [type=submit]')).toBe(true);
      await confirmBy(page, 'concert');
      await isShown(page, 'h1', 'Cancelled');
    });

    it('shows sold and held tickets live', async () => {
      const { signIn, holds, sell } = await openShop();
      await sell();
      const page = await signIn();
      await isShown(page, '#sales tbody', 'Floor');
      await holds.holdTickets({ eventId: 'concert', visitor: 'v', tickets: [{ typeId: 'floor', quantity: 2 }] });
      await until('the hold', async () => /Floor\D*500\s+0\s+2\s+8\s+10/.test(await page.innerText('#sales tbody')));
    });

    it('shows the whole sales table at 1440 px, and gross and net sales by name', async () => {
      const { signIn, sell } = await openShop();
      await sell();
      const page = await signIn({ ...english, viewport: { width: 1440, height: 900 } });
      await isShown(page, '#sales tbody', 'Floor');
      expect(
        await page.evaluate(
          "(() => { const f = document.querySelector('#sales .table-frame'); return f.scrollWidth <= f.clientWidth; })()",
        ),
      ).toBe(true);
      for (const name of ['Gross sales', 'Refunds', 'Net sales']) await isShown(page, '#sales', name);
      await page.evaluate("location.hash = '#/stats/concert'");
      for (const name of ['Gross sales', 'Refunds', 'Net sales']) await isShown(page, '#stats', name);
    });

    it('passes axe in every view and violates no policy', async () => {
      const { signIn, sell } = await openShop();
      await sell();
      const page = await signIn(english, '#/nothing');
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      for (const [hash, shown] of [
        ['#/', '#rooms .card'],
        ['#/rooms/concert', '#sales tbody tr'],
        ['#/events', '#events .card'],
        ['#/events/concert', '#event-form'],
        ['#/layouts', 'a[href="#/layouts/hall"]'],
        ['#/layouts/hall', '#preview'],
        ['#/stats', '#stats-charts'],
        ['#/audit', '#audit li'],
      ] as const) {
        await page.evaluate(`location.hash = '${hash}'`);
        await page.locator(shown).first().waitFor();
        await expectAccessible(page);
      }
      expect(complaints).toEqual([]);
    });
  });

  it('passes axe in dark mode, on a phone, in Korean, and before signing in', async () => {
    const { signIn, visit } = await open({ state: 'paused' });
    const options = { ...korean, colorScheme: 'dark' as const, viewport: { width: 390, height: 844 } };
    const door = await visit(options);
    await door.waitForSelector('#token');
    await expectAccessible(door);
    const page = await signIn(options);
    await page.waitForSelector('#pause, #resume');
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  async function expectAccessible(page: Page): Promise<void> {
    expect(await axeViolations(page), page.url()).toEqual([]);
  }
});
