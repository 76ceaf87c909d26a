/** `/fairline.js` on a page of another site, behind `fairline gate`, in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import { runGate } from '../gate/proxy/run-gate.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { createTestApp, secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

describe('/fairline.js', () => {
  it('is under 1.5 KB, and can be cached', async () => {
    const { anyone } = await createTestApp({ SHOP: 'off' });
    const response = await anyone('GET', '/fairline.js');
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload.length).toBeLessThan(1.5 * 1024);
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
    });
    const again = await anyone('GET', '/fairline.js', { headers: { 'if-none-match': String(response.headers.etag) } });
    expect(again.statusCode).toBe(304);
  });
});

describeWithBrowser('/fairline.js in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  const HTML = `<!doctype html><title>Shop</title><p>Left: <b data-fairline-time></b></p>
<script>told = []; for (const what of ['time', 'ending', 'ended']) addEventListener('fairline:' + what, (event) => told.push(what));</script>
<script src="/fairline.js" data-event="concert"></script>`;

  async function openShop(room: RoomChange, { isHidden = false } = {}) {
    const line = await runApp({ env: secrets, room });
    const site = await startSite((_request, response) => response.setHeader('content-type', 'text/html').end(HTML));
    const rules = { otherwise: 'pass', rules: [{ path: '/shop/{eventId}/**', require: 'entry', answer: 'page' }] };
    const { url } = await runGate({ GATE_UPSTREAM: site.url, GATE_LINE_URL: line.url }, rules);
    const page = await openPage(browser);
    if (isHidden) await page.addInitScript("Object.defineProperty(document, 'hidden', { value: true })");
    await page.goto(url);
    await page.evaluate(() => fetch('/api/queue/check/concert', { method: 'POST' }));
    await page.goto(`${url}/shop/concert/seats`);
    const counts = async () => (await line.context.line.rooms.findRoom('concert'))!.crowd;
    return { page, counts };
  }
  const told = (page: Page) => page.evaluate(() => [...new Set((globalThis as unknown as { told: string[] }).told)]);

  it('keeps the session beyond its length without requests of the page, and shows the time left', async () => {
    const { page, counts } = await openShop({ activeTtlMs: 4_000, activeMaxTtlMs: 60_000 });
    const openedAt = Date.now();
    await until('three session lengths', () => Date.now() - openedAt > 12_500);
    expect(await counts()).toMatchObject({ active: 1 });
    expect(await page.locator('[data-fairline-time]').textContent()).toMatch(/^0:0[0-5]$/);
    expect(await told(page)).not.toContain('ended');
  });

  it('does not keep the session on a page that nobody sees', async () => {
    const { counts } = await openShop({ activeTtlMs: 2_000 }, { isHidden: true });
    await until('the session to end', async () => (await counts()).active === 0);
  });

  it('warns before the longest session length, and says when it is over', async () => {
    const { page, counts } = await openShop({ activeTtlMs: 3_000, activeMaxTtlMs: 6_000 });
    await until('the end', async () => (await told(page)).includes('ended'));
    expect(await told(page)).toEqual(['time', 'ending', 'ended']);
    expect(await page.locator('[data-fairline-time]').textContent()).toBe('0:00');
    expect(await counts()).toMatchObject({ active: 0 });
  });

  it('gives the slot back on leave()', async () => {
    const { page, counts } = await openShop({ activeTtlMs: 60_000 });
    await until('the time left', async () => (await told(page)).includes('time'));
    expect(await counts()).toMatchObject({ active: 1 });
    await page.evaluate(() => (globalThis as unknown as { fairline: { leave(): Promise<void> } }).fairline.leave());
    expect(await counts()).toMatchObject({ active: 0 });
    expect(await told(page)).toContain('ended');
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('urr-entry-token');
  });
});
