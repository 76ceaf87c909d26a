/** The tier 1 page in a real browser against the running program. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser, openPage, startBrowser } from '../../support/browser.ts';
import { type RunningApp, runApp } from '../../support/running-app.ts';
import { until } from '../../support/until.ts';

const korean = { locale: 'ko-KR' };
const english = { locale: 'en-GB' };
/** So slow that only the test advances the counter. */
const STANDING_STILL = { VWR_BATCH_SIZE: '1', VWR_CYCLE_MS: '3600000', LIMIT_VWR_ASSIGN_PER_IP: '0' };

describeWithBrowser('the tier 1 page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function open(env: Record<string, string> = {}) {
    const running = await runApp({ env: { ...STANDING_STILL, ...env }, room: { maxActive: 0 } });
    const { tier1 } = running.context;
    expect(await tier1.switching.activate('concert')).toMatchObject({ outcome: 'switched' });
    // Drops the cached counters, as the operator endpoint does.
    tier1.counters.forget('concert');
    const visit = async (options: BrowserContextOptions = english, query = '') => {
      const page = await openPage(browser, options);
      await page.goto(`${running.url}/vwr/concert${query}`);
      return page;
    };
    /** Serves up to `target`; the `online` event makes the page poll at once. */
    const serve = async (target: number, page?: Page) => {
      await tier1.store.advanceTo('concert', target);
      tier1.counters.forget('concert');
      await page?.evaluate("dispatchEvent(new Event('online'))");
    };
    /** Devices that came before. */
    const crowd = (count: number) =>
      tier1.store.assign(
        'concert',
        Array.from({ length: count }, (_, i) => `device-${i}`),
      );
    return { ...running, visit, serve, crowd };
  }

  const textOf = (page: Page, id: string) => page.locator(`#${id}`).innerText();
  const isShown = (page: Page, id: string, text: string) =>
    until(`${id} to say ${text}`, async () => (await textOf(page, id)).includes(text));
  const arrives = (page: Page, path: string) => page.waitForURL((url) => url.pathname + url.search === path);

  it('takes a number, shows its progress, and goes on to the line when it is its turn', async () => {
    const { visit, serve, crowd } = await open();
    await crowd(3);
    const page = await visit();
    await isShown(page, 'number', '4');
    await isShown(page, 'ahead', '3');
    await isShown(page, 'say', 'when it is your turn');
    await serve(3, page);
    await isShown(page, 'ahead', '0');
    await serve(4, page);
    await arrives(page, '/queue/concert');
    const cookies = await page.context().cookies();
    expect(cookies.find(({ name }) => name === 'urr-vwr-token')).toMatchObject({ httpOnly: true });
  });

  it('keeps its number after a reload and after being closed', async () => {
    const { visit, crowd } = await open();
    await crowd(1);
    const page = await visit();
    await isShown(page, 'number', '2');
    await page.reload();
    await isShown(page, 'number', '2');
    const storageState = await page.context().storageState();
    await page.context().close();
    await crowd(2);
    const again = await visit({ ...english, storageState });
    await isShown(again, 'number', '2');
  });

  it('takes an answer that was cut off for a failure', async () => {
    const { url, crowd } = await open();
    await crowd(200);
    const page = await openPage(browser, english);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/')[2]!));
    const cutOff = (what: string, body: string) =>
      page.route(`**/vwr/${what}/concert`, (route) => route.fulfill({ contentType: 'application/json', body }), {
        times: 1,
      });
    await cutOff('assign', '{"requestId":"abc","posit');
    await page.goto(`${url}/vwr/concert`);
    await isShown(page, 'number', '201');
    expect(asked.filter((what) => what === 'assign')).toHaveLength(2);
    await cutOff('status', '{"isActive":true,"ser');
    await page.evaluate("dispatchEvent(new Event('online'))");
    await isShown(page, 'say', 'Connection problem');
    await isShown(page, 'number', '201');
    expect(asked).not.toContain('check');
  });

  it('polls only the public status while its turn is far', async () => {
    const { visit, serve, crowd } = await open();
    await crowd(200);
    const page = await openPage(browser, english);
    await page.clock.install();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/')[2]!));
    await page.goto((await visit()).url());
    await isShown(page, 'number', '202');
    await page.clock.runFor(20_000);
    await until('several polls', () => asked.filter((what) => what === 'status').length >= 3);
    expect(asked).not.toContain('check');
    await serve(202);
    await page.clock.runFor(10_000);
    await arrives(page, '/queue/concert');
    expect(asked).toContain('check');
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
    await isShown(page, 'title', 'Waiting room');
  });

  it('shows that the connection is lost, and continues when it is back', async () => {
    const { visit, serve } = await open();
    const page = await visit();
    await isShown(page, 'number', '1');
    await page.context().setOffline(true);
    await isShown(page, 'say', 'Your number is safe');
    expect(await textOf(page, 'number')).toBe('1');
    await serve(1);
    await page.context().setOffline(false);
    await arrives(page, '/queue/concert');
  });

  it('solves a proof of work on request', async () => {
    const { visit } = await open({ LIMIT_VWR_ASSIGN_PER_IP: '1', VWR_CHALLENGE_DIGITS: '2' });
    await isShown(await visit(), 'number', '1');
    await isShown(await visit(), 'number', '2');
  });

  it('goes straight on while tier 1 is off, and takes a new number when it is switched on again', async () => {
    const { visit, context } = await open();
    const { switching, counters } = context.tier1;
    const page = await visit();
    await isShown(page, 'number', '1');
    await switching.deactivate('concert');
    await switching.activate('concert');
    await isShown(page, 'number', '2');
    await switching.deactivate('concert');
    counters.forget('concert');
    await arrives(page, '/queue/concert');
    await arrives(await visit(), '/queue/concert');
  });

  it('discards a used number and takes another', async () => {
    const { visit, context, serve } = await open();
    const page = await visit();
    await isShown(page, 'number', '1');
    await serve(1, page);
    await arrives(page, '/queue/concert');
    // Wait for the guest cookie of the line page; a request without it would be another visitor.
    await until('the page to have joined', async () =>
      (await page.context().cookies()).some(({ name }) => name === 'fairline-guest'),
    );
    const join = () => page.evaluate(() => fetch('/api/queue/check/concert', { method: 'POST' }).then((r) => r.json()));
    expect(await join()).toMatchObject({ number: 1 });
    await page.evaluate(() => fetch('/api/queue/leave/concert', { method: 'POST' }));
    const refused = (await join()) as { redirectTo: string };
    expect(refused.redirectTo).toBe('/vwr/concert?again=1');
    await page.goto(new URL(refused.redirectTo, page.url()).href);
    await isShown(page, 'number', '2');
    expect((await context.tier1.store.findCounters('concert'))?.nextPosition).toBe(2);
  });

  it('passes the wanted page on to the line, but only a page of this site', async () => {
    const { visit, context } = await open();
    await context.tier1.switching.deactivate('concert');
    context.tier1.counters.forget('concert');
    const go = async (to: string) => {
      const page = await visit(english, `?to=${encodeURIComponent(to)}`);
      await page.waitForURL((url) => !url.pathname.startsWith('/vwr/'));
      const { hostname, pathname, search } = new URL(page.url());
      return `${hostname}${pathname}${search}`;
    };
    expect(await go('/events/concert?a=1')).toBe('127.0.0.1/queue/concert?to=%2Fevents%2Fconcert%3Fa%3D1');
    for (const to of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      'javascript:alert(1)',
      '/\t/evil/',
    ]) {
      expect(await go(to)).toBe('127.0.0.1/queue/concert');
    }
  });

  it('works without JavaScript: a form, a page that reloads, and on to the line', async () => {
    const { visit, serve, crowd, url } = await open();
    await crowd(1);
    const page = await visit({ ...korean, javaScriptEnabled: false });
    await page.click('button[type=submit]');
    await arrives(page, '/vwr/concert?plain=1');
    expect(await page.innerText('body')).toMatch(/1명[\s\S]*대기 번호\s*2/);
    expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('4');
    await serve(2);
    await until('the turn to be seen', async () => {
      await page.goto(`${url}/vwr/concert?plain=1`);
      return new URL(page.url()).pathname === '/queue/concert';
    });
  });

  it('runs only its own script, stays small, and is cacheable', async () => {
    const { url }: RunningApp = await open();
    const headers = { 'accept-encoding': 'gzip' };
    const html = await fetch(`${url}/vwr/concert`, { headers });
    expect(html.headers.get('content-security-policy')).toMatch(/script-src 'self'; style-src 'sha256-/);
    expect(html.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(html.headers.get('cache-control')).toMatch(/^public, max-age=\d+/);
    expect(html.headers.get('set-cookie')).toBeNull();
    const text = await html.text();
    const script = /src="(\/vwr\/assets\/vwr\.js\?v=[\w-]+)"/.exec(text)![1]!;
    const sizes = await Promise.all(
      ['/vwr/concert', script].map(async (path) => {
        const response = await fetch(`${url}${path}`, { headers });
        expect(response.headers.get('content-encoding')).toBe('gzip');
        return Number(response.headers.get('content-length'));
      }),
    );
    expect(sizes[0]! + sizes[1]!).toBeLessThan(15 * 1024);
    const known = await fetch(`${url}/vwr/concert`, { headers: { 'if-none-match': html.headers.get('etag')! } });
    expect(known.status).toBe(304);
  });

  it('violates no policy', async () => {
    const { visit } = await open();
    const page = await openPage(browser, english);
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto((await visit()).url());
    await isShown(page, 'number', '2');
    // Without a shop the event lookup is a 404.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });
});
