/** The waiting page in a real browser against the running program. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import type { LinePorts } from '../../src/line/store/line-store.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { runApp } from '../support/running-app.ts';
import { until } from '../support/until.ts';

const korean = { locale: 'ko-KR' };
const english = { locale: 'en-GB' };

describeWithBrowser('the waiting page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function open(room: RoomChange = { maxActive: 0 }, env: Record<string, string> = {}) {
    const running = await runApp({ room, env: { QUEUE_TARGET: '/events/{eventId}/seats', ...env } });
    const { line } = running.context;
    const visit = async (options: BrowserContextOptions = english) => {
      const page = await openPage(browser, options);
      await page.goto(`${running.url}/queue/concert`);
      return page;
    };
    const crowd = async (count: number, first = 0) => {
      for (let i = first; i < first + count; i += 1) await line.visits.join('concert', `user-${i}`);
    };
    const set = (change: RoomChange) => line.rooms.putRoom('concert', change);
    return { ...running, line, visit, crowd, set };
  }

  const textOf = (page: Page, id: string) => page.locator(`#${id}`).innerText();
  const isShown = (page: Page, id: string, text: string) =>
    until(`${id} to say ${text}`, async () => {
      const place = page.locator(`#${id}`);
      return (await place.count()) > 0 && (await place.innerText()).includes(text);
    });
  const goesIn = (page: Page) => page.waitForURL((url) => url.pathname === '/events/concert/seats');
  const waiting = async ({ rooms }: Pick<LinePorts, 'rooms'>) => (await rooms.findRoom('concert'))?.crowd.waiting;

  it('joins automatically, shows the place, and enters with the entry cookie when it is its turn', async () => {
    const { visit, crowd, set, line } = await open({ maxActive: 0, message: { en: 'Doors at seven', ko: '일곱 시' } });
    await crowd(2);
    const page = await visit();
    await isShown(page, 'number', '3');
    await isShown(page, 'ahead', '2');
    await isShown(page, 'behind', '0');
    expect(await page.locator('#inside').count()).toBe(0);
    await isShown(page, 'notes', 'Doors at seven');
    await isShown(page, 'say', 'The line is paused');
    await isShown(page, 'hint', '5 min');
    await crowd(1, 2);
    await isShown(page, 'behind', '1');
    await set({ priorityShare: 30 });
    await isShown(page, 'notes', '30 % of places go to members first');
    await line.visits.leave('concert', 'user-0');
    await isShown(page, 'ahead', '1');
    expect(await page.locator('#progress').evaluate((bar) => (bar as unknown as { value: number }).value)).toBe(0.5);
    await until('the title to tell it', async () => (await page.title()).startsWith('1 · '));
    await set({ maxActive: 2 });
    await goesIn(page);
    const cookies = await page.context().cookies();
    expect(cookies.find(({ name }) => name === 'urr-entry-token')).toMatchObject({ httpOnly: true });
  });

  it('solves a proof of work when many came from its address, and says so', async () => {
    const { visit, url } = await open({ maxActive: 0 }, { LIMIT_GUEST_JOIN_PER_IP: '1', VWR_CHALLENGE_DIGITS: '3' });
    await isShown(await visit(), 'number', '1');
    const page = await openPage(browser, korean);
    let send = () => {};
    const isSent = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route('**/api/queue/check/concert', async (route) => {
      if ('x-queue-proof' in route.request().headers()) await isSent;
      await route.continue();
    });
    await page.goto(`${url}/queue/concert`);
    await isShown(page, 'say', '브라우저를 확인하고 있습니다');
    send();
    await isShown(page, 'number', '2');
  });

  it('asks guests to sign in where the room asks for accounts', async () => {
    const { visit, line } = await open({ maxActive: 0, joinRequires: 'account' });
    await isShown(await visit(), 'say', 'Please sign in to join the line.');
    expect(await waiting(line)).toBe(0);
  });

  it('admits only the next visitor when the limit is raised by one', async () => {
    const { visit, set } = await open();
    const first = await visit();
    await isShown(first, 'number', '1');
    const second = await visit(korean);
    await isShown(second, 'number', '2');
    await set({ maxActive: 1 });
    await goesIn(first);
    await isShown(second, 'ahead', '0명');
  });

  it('shows over the stream, without polling, that the operator paused and resumed', async () => {
    const { visit, set, crowd } = await open({ maxActive: 1 }, { QUEUE_ADMISSION_INTERVAL_MS: '1000' });
    await crowd(1);
    const page = await visit();
    await isShown(page, 'time', '');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await set({ state: 'paused', message: { en: 'A short break' } });
    await isShown(page, 'say', 'has paused the line');
    // The stream sends a change with the next tick, at most a second later; a poll would take longer.
    expect(asked.filter((path) => path.includes('/queue/') || path.includes('/tickets/'))).toEqual([]);
    expect(readConfig({}).line.admissionIntervalMs).toBeLessThan(2_000);
    await isShown(page, 'notes', 'A short break');
    expect(await page.locator('#time').count()).toBe(0);
    await set({ state: 'open', message: null });
    await isShown(page, 'say', 'automatically');
  });

  it('keeps its place after a reload, in another tab, and after being closed', async () => {
    const { visit, crowd, line } = await open();
    await crowd(1);
    const page = await visit();
    await isShown(page, 'number', '2');
    await page.reload();
    await isShown(page, 'number', '2');
    const others = await Promise.all([page.context().newPage(), page.context().newPage()]);
    const asked: string[] = [];
    page.context().on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const tab of others) {
      await tab.goto(page.url());
      await isShown(tab, 'number', '2');
    }
    // Two streams are allowed; the tab that lost its stream polls and still gets updates.
    await crowd(1, 1);
    for (const tab of [page, ...others]) await isShown(tab, 'behind', '1');
    expect(asked).toContain('/api/queue/status/concert');
    // It does not reclaim a stream, or the tabs would take it from each other in turn.
    expect(asked.filter((path) => path.includes('/tickets/waiting'))).toHaveLength(others.length);
    expect(await waiting(line)).toBe(3);
    const storageState = await page.context().storageState();
    await page.context().close();
    const again = await visit({ ...english, storageState });
    await isShown(again, 'number', '2');
  });

  it('shows when offline how long the place is kept, and reconnects automatically', async () => {
    const { visit, set } = await open();
    const page = await visit();
    await isShown(page, 'number', '1');
    await page.context().setOffline(true);
    await isShown(page, 'say', 'You are offline. Your place is kept for 5 min.');
    expect(await textOf(page, 'number')).toBe('1');
    await set({ maxActive: 1 });
    await page.context().setOffline(false);
    await goesIn(page);
  });

  it('reconnects when the device wakes up, and shows what happened meanwhile', async () => {
    const { visit, crowd, line } = await open();
    await crowd(1);
    const page = await visit();
    await isShown(page, 'ahead', '1');
    await look(page, 'away');
    const streams: string[] = [];
    page.on('request', (request) => request.url().includes('/tickets/waiting') && streams.push(request.url()));
    await look(page, 'back', 5_000);
    await line.visits.leave('concert', 'user-0');
    await isShown(page, 'ahead', '0');
    // A short absence keeps the stream.
    expect(streams).toEqual([]);
    await look(page, 'away');
    await look(page, 'back', 60_000);
    await until('a new stream', async () => streams.length === 1);
    await crowd(1, 1);
    await isShown(page, 'behind', '1');
    expect(await textOf(page, 'number')).toBe('2');
  });

  it('reloads when it is restored from the back/forward cache', async () => {
    const { visit, crowd } = await open();
    const page = await visit();
    await isShown(page, 'number', '1');
    await page.evaluate('window.isOld = true');
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await page.waitForFunction('window.isOld === undefined');
    await isShown(page, 'number', '1');
    await crowd(1);
    await isShown(page, 'behind', '1');
  });

  it('has no transitions for visitors who prefer reduced motion', async () => {
    const { visit } = await open();
    for (const [reducedMotion, moves] of [
      ['no-preference', true],
      ['reduce', false],
    ] as const) {
      const page = await visit({ ...english, reducedMotion });
      await isShown(page, 'ahead', '');
      // The progress bar is a pseudo-element without a computed style, so this reads the matching CSS rules.
      const rules = (await page.evaluate(`[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
        .flatMap((rule) => rule.media === undefined ? [rule] : matchMedia(rule.media.mediaText).matches ? [...rule.cssRules] : [])
        .filter(({ style }) => style?.transitionDuration || style?.animationName)
        .map(({ selectorText, style }) => [selectorText, style.transitionDuration + style.animationName])`)) as string[][];
      const last = new Map(rules.map(([selector, value]) => [selector, value]));
      expect([...last.values()].some((value) => value !== '0s')).toBe(moves);
    }
  });

  it('polls when no stream is available', async () => {
    const { visit, crowd, set } = await open({ maxActive: 0 }, { LIMIT_STREAMS_PER_IP: '1' });
    await crowd(1);
    const first = await visit();
    await isShown(first, 'number', '2');
    const second = await visit();
    await isShown(second, 'number', '3');
    await crowd(1, 1);
    await isShown(second, 'behind', '1');
    await set({ maxActive: 10 });
    await goesIn(second);
  });

  it('leaves only after confirmation, and does not join again on reload', async () => {
    const { visit, line } = await open();
    const page = await visit();
    await isShown(page, 'number', '1');
    await page.click('#leave');
    await page.click('#question-no');
    expect(await waiting(line)).toBe(1);
    await page.click('#leave');
    await page.click('#question-yes');
    await isShown(page, 'say', 'left the line');
    expect(await waiting(line)).toBe(0);
    await page.reload();
    await isShown(page, 'say', 'left the line');
    await page.click('#join');
    await isShown(page, 'number', '2');
  });

  it('shows in another tab that the visitor has left', async () => {
    const { visit } = await open();
    const page = await visit();
    await isShown(page, 'number', '1');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await isShown(other, 'number', '1');
    await page.click('#leave');
    await page.click('#question-yes');
    await isShown(other, 'say', 'left the line');
  });

  it('waits for a click in a claim room, and counts down', async () => {
    const { visit, set } = await open({ maxActive: 0, admission: 'claim', claimTtlMs: 60_000 });
    const page = await visit();
    await isShown(page, 'number', '1');
    await set({ maxActive: 1 });
    await isShown(page, 'time-left', ':');
    await isShown(page, 'title', 'Your turn');
    const seconds = async () => Number(/:(\d+)$/.exec(await textOf(page, 'time-left'))?.[1]);
    const before = await seconds();
    await until('the countdown', async () => (await seconds()) < before);
    await until('an announcement', async () => (await textOf(page, 'announce')).includes('left to enter'));
    expect(await page.title()).toContain('Your turn');
    await page.click('#enter');
    await goesIn(page);
  });

  it('shows when sales open, that the room is closed, or that the event does not exist', async () => {
    const { visit, set, url } = await open({ opensAt: '2100-05-01T10:00:00Z' });
    const page = await visit();
    await isShown(page, 'say', 'May 1, 2100');
    expect(await page.locator('#time').count()).toBe(0);
    await set({ opensAt: null, state: 'closed' });
    await isShown(page, 'say', 'has closed');
    await isShown(await visit(), 'say', 'is closed');
    await page.goto(`${url}/queue/nothing`);
    await isShown(page, 'say', 'Event not found');
  });

  it('shows the time of the draw and the visitor’s lot in the lobby', async () => {
    const { visit, crowd } = await open({ maxActive: 0, order: 'draw', opensAt: '2100-05-01T10:00:00Z' });
    await crowd(2);
    const page = await visit();
    await isShown(page, 'say', 'does not depend on when you came');
    await isShown(page, 'taking-part', '3');
    expect(await textOf(page, 'lot')).toMatch(/^[0-9a-f]{32}$/);
    expect(await page.locator('#place').isVisible()).toBe(false);
    expect(await page.locator('#link').getAttribute('href')).toBe('/draw/concert');
    await page.goto(`${page.url()}?plain=1`);
    await isShown(page, 'taking-part', '3');
  });

  it('redirects visitors who need a tier 1 number first', async () => {
    const { visit, context } = await open();
    await context.tier1.switching.activate('concert');
    const page = await visit();
    await page.waitForURL((url) => url.pathname === '/vwr/concert');
    await isShown(page, 'number', '1');
  });

  it('uses the browser’s language, and switches on request', async () => {
    const { visit } = await open();
    const page = await visit(korean);
    await isShown(page, 'title', '대기실');
    await isShown(page, 'number-label', '대기 번호');
    expect(await page.getAttribute('html', 'lang')).toBe('ko');
    await page.selectOption('#language', 'en');
    await isShown(page, 'number-label', 'Your number');
    await page.reload();
    await isShown(page, 'number-label', 'Your number');
  });

  it('plays a sound when it is the visitor’s turn, if they turned alerts on', async () => {
    const { visit, set } = await open();
    const page = await visit();
    await page.context().grantPermissions(['notifications']);
    await isShown(page, 'alert', 'Notify me');
    await page.click('#alert');
    await isShown(page, 'alert', 'sound');
    await page.evaluate(`
      window.rang = 0;
      AudioContext.prototype.createOscillator = new Proxy(AudioContext.prototype.createOscillator, {
        apply: (make, self, args) => { window.rang += 1; return Reflect.apply(make, self, args); },
      });`);
    await set({ maxActive: 1 });
    await until('the bell', () => page.evaluate('window.rang > 0') as Promise<boolean>);
  });

  it('gives no reason for a wait that falls, after the limit was lowered and raised', async () => {
    const { visit, crowd, set, line } = await open({ maxActive: 20 }, { QUEUE_ADMISSION_INTERVAL_MS: '1000' });
    await crowd(60);
    const page = await visit();
    await isShown(page, 'say', 'You are in line');
    // A change is one against what a tick has measured.
    await until('a tick', async () => (await line.rooms.findRoom('concert'))!.crowd.pace.at > 0);
    await set({ maxActive: 5 });
    await isShown(page, 'say', 'fewer visitors are admitted');
    await set({ maxActive: 22 });
    await isShown(page, 'say', 'You are in line');
  });

  it('shows the wait, the time of the turn, and how old the figures are', async () => {
    const { visit, crowd } = await open({ maxActive: 1_000, admitPerSecond: 0.02 });
    await crowd(6);
    const page = await visit();
    await isShown(page, 'turn-at', 'about ');
    await isShown(page, 'updated', 'Updated');
    await page.evaluate('Date.now = ((now) => () => now() + 60_000)(Date.now)');
    await isShown(page, 'updated', ' s ago');
    expect(await page.getByRole('progressbar').count()).toBe(1);
  });

  it('says that a wait is still being worked out while its range is wide, and leaves out zero parts', async () => {
    const { visit, crowd } = await open({ maxActive: 1 });
    await crowd(4);
    const page = await visit();
    await isShown(page, 'ahead', '3');
    const estimate = async (low: number, high: number) => {
      await page.route('**/api/queue/**', async (route) => {
        const answer = await (await route.fetch()).json();
        const wait = { estimatedWait: low, estimatedWaitRange: { low, high }, confidence: 0.5 };
        await route.fulfill({ json: { ...answer, ...wait } });
      });
      await page.route('**/tickets/waiting*', (route) => route.fulfill({ status: 503 }));
      await page.reload();
    };
    await estimate(39 * 60, 650 * 60);
    await isShown(page, 'time', 'still being worked out');
    await page.unrouteAll();
    await estimate(2_400, 7_200);
    await isShown(page, 'time', '40 min to 2 h');
    expect(await textOf(page, 'time')).not.toMatch(/\b0 (h|min)/);
  });

  it('counts down to the opening, and gives a file for the calendar', async () => {
    const { visit } = await open({ opensAt: '2100-05-01T10:00:00Z' });
    const page = await visit();
    await isShown(page, 'countdown', ' d ');
    const before = await textOf(page, 'countdown');
    await until('the countdown', async () => (await textOf(page, 'countdown')) !== before);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#reminder')]);
    expect(download.suggestedFilename()).toBe('fairline.ics');
    expect(decodeURIComponent((await page.getAttribute('#reminder', 'href'))!)).toContain('DTSTART:21000501T100000Z');
  });

  it('answers what visitors ask, and stops a message that has ended', async () => {
    const { visit, set } = await open({ maxActive: 0, message: { en: 'A short break' } });
    const page = await visit();
    await isShown(page, 'notes', 'A short break');
    expect(await page.locator('#answers details').count()).toBe(8);
    await page.click('#answers details:nth-child(3) summary');
    expect(await page.innerText('#answers details:nth-child(3)')).toContain('5 min');
    await set({ message: { en: 'A short break', until: new Date(Date.now() + 1_000).toISOString() } });
    await until('the message to end', async () => (await textOf(page, 'notes')) === '');
  });

  it('moves nothing while it loads, and fits a narrow screen', async () => {
    const { url, crowd } = await open({ maxActive: 1 });
    await crowd(3);
    const page = await openPage(browser, { ...english, viewport: { width: 320, height: 640 } });
    await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    await page.goto(`${url}/queue/concert`);
    await isShown(page, 'ahead', '2');
    await isShown(page, 'updated', 'Updated');
    expect(await page.evaluate('window.shift')).toBeLessThanOrEqual(0.02);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  });

  it('requests permission for notifications only on click', async () => {
    const { url } = await open();
    const page = await openPage(browser, english);
    await page.addInitScript(`
      window.permissionRequests = 0;
      Object.defineProperty(Notification, 'permission', { get: () => 'default' });
      Notification.requestPermission = async () => { window.permissionRequests += 1; return 'denied'; };`);
    const asked = () => page.evaluate('window.permissionRequests');
    await page.goto(`${url}/queue/concert`);
    await isShown(page, 'number', '1');
    expect(await asked()).toBe(0);
    await page.click('#alert');
    await isShown(page, 'alert', 'hear a sound');
    expect(await asked()).toBe(1);
    await page.reload();
    await isShown(page, 'alert', 'hear a sound');
    expect(await asked()).toBe(0);
  });

  it('works without JavaScript: joins, waits, leaves and enters', async () => {
    const { visit, crowd, set, url } = await open({ maxActive: 0, message: { ko: '<b>안내</b>' } });
    await crowd(1);
    const page = await visit({ ...korean, javaScriptEnabled: false });
    await page.waitForURL(/plain=1/);
    await page.click('button');
    await isShown(page, 'number', '2');
    await isShown(page, 'ahead', '1명');
    expect(await page.innerText('.note')).toBe('<b>안내</b>');
    expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('3');
    await page.click('button');
    await isShown(page, 'say', '대기를 취소했습니다');
    await page.click('button');
    await isShown(page, 'number', '3');
    await set({ maxActive: 5 });
    await until('the turn', async () => {
      await page.goto(`${url}/queue/concert?plain=1`);
      return new URL(page.url()).pathname === '/events/concert/seats';
    });
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name }) => name)).toContain('urr-entry-token');
  });

  it('enters a claim room without JavaScript, and shows when it is closed', async () => {
    const { visit, set } = await open({ maxActive: 1, admission: 'claim' });
    const page = await visit({ ...english, javaScriptEnabled: false });
    await page.waitForURL(/plain=1/);
    await page.click('button');
    await isShown(page, 'say', 'Enter within');
    await page.click('button.main');
    await goesIn(page);
    await set({ state: 'closed' });
    const late = await visit({ ...english, javaScriptEnabled: false });
    await late.waitForURL(/plain=1/);
    await isShown(late, 'say', 'is closed');
  });

  it('goes to the configured target', async () => {
    const { visit } = await open({ maxActive: 1 }, { QUEUE_TARGET: '/shop?event={eventId}' });
    const page = await visit();
    await page.waitForURL((url) => url.pathname + url.search === '/shop?event=concert');
  });

  it('runs only its own script, stays small, is cacheable, and violates no policy', async () => {
    const { url } = await open();
    const headers = { 'accept-encoding': 'gzip, deflate, br' };
    const html = await fetch(`${url}/queue/concert`, { headers });
    expect(html.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
    expect(html.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(html.headers.get('cache-control')).toMatch(/^public/);
    expect(html.headers.get('set-cookie')).toBeNull();
    const known = await fetch(`${url}/queue/concert`, { headers: { 'if-none-match': html.headers.get('etag')! } });
    expect(known.status).toBe(304);
    const plain = await fetch(`${url}/queue/concert?plain=1`);
    expect(plain.headers.get('cache-control')).toBe('no-store');

    const page = await openPage(browser, english);
    const complaints: string[] = [];
    const loaded: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => loaded.push(request.url()));
    await page.goto(`${url}/queue/concert`);
    await isShown(page, 'number', '1');
    // Without a shop the event lookup is a 404.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    const files = loaded.filter((address) => !/\/api\/|\/tickets\/|\/favicon\.|\/posters\//.test(address));
    // The page, its script and the texts of one language.
    expect(files).toHaveLength(3);
    const sizes = await Promise.all(
      files.map(async (address) => Number((await fetch(address, { headers })).headers.get('content-length'))),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(15 * 1024);
  });
});

/** Hides the tab, or shows it again `afterMs` later by the device clock. */
async function look(page: Page, where: 'away' | 'back', afterMs = 0): Promise<void> {
  await page.evaluate(`
    window.realNow ??= Date.now;
    window.skewMs = (window.skewMs ?? 0) + ${afterMs};
    Date.now = () => window.realNow() + window.skewMs;
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${where === 'away'} });
    document.dispatchEvent(new Event('visibilitychange'));`);
}
