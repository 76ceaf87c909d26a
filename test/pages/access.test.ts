/** Access, visitors and staff links in a real browser: on the operator page, the waiting page and the page of a link. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { runApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const english = { locale: 'en-GB' };
const korean = { locale: 'ko-KR' };

describeWithBrowser('access', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function open() {
    const running = await runApp({ room: { maxActive: 0 }, env: secrets });
    const visit = async (path: string, options: BrowserContextOptions = english) => {
      const page = await openPage(browser, options);
      await page.goto(running.url + path);
      return page;
    };
    const signIn = async (options: BrowserContextOptions = english) => {
      const page = await openPage(browser, options);
      await page.addInitScript("sessionStorage.setItem('fairline-open-advanced', 'yes')");
      await page.goto(`${running.url}/admin#/rooms/concert`);
      await page.fill('#token', secrets.ADMIN_TOKEN);
      await page.keyboard.press('Enter');
      await page.waitForSelector('#access');
      return page;
    };
    return { ...running, visit, signIn };
  }

  const isShown = (page: Page, place: string, text: string) =>
    until(`${place} to say ${text}`, async () => {
      const found = page.locator(place).first();
      return (await found.count()) > 0 && (await found.isVisible()) && (await found.innerText()).includes(text);
    });
  const confirm = (page: Page) => page.click('dialog[open] [type=submit]');

  it('lists entries, adds them by address, shows what is wrong at the field, and removes them', async () => {
    const { signIn, context } = await open();
    const page = await signIn();
    await isShown(page, '#access', 'No entries');
    await page.fill('#access-addresses', '10.0.0.1/8');
    await page.click('#access-add [type=submit]');
    await isShown(page, '#access-addresses-problem', 'write 10.0.0.0/8');
    expect(context.access.list.entries).toEqual([]);
    await page.fill('#access-addresses', '192.0.2.7, 2001:db8::/32');
    await page.fill('#access-minutes', '30');
    await page.fill('#access-about', 'load test');
    await page.click('#access-add [type=submit]');
    await isShown(page, '#access-entries', '192.0.2.7, 2001:db8::/32');
    await isShown(page, '#access-entries', 'Passes without waiting');
    expect(context.access.list.entries).toMatchObject([{ group: 'rule', about: 'load test', eventId: 'concert' }]);
    await page.click('#access-entries button');
    await isShown(page, 'dialog', '192.0.2.7');
    await confirm(page);
    await isShown(page, '#access', 'No entries');
    expect(context.access.list.entries).toEqual([]);
  });

  it('finds a waiting visitor, ejects and bans them, and the visitor reads it on the waiting page', async () => {
    const { signIn, visit, context } = await open();
    const waiting = await visit('/queue/concert');
    await isShown(waiting, '#number', '1');
    const cookie = (await waiting.context().cookies()).find(({ name }) => name === 'fairline-guest')!;
    const visitor = context.identity.findGuest({ cookie: `fairline-guest=${cookie.value}` })!.id;
    const page = await signIn();
    await page.fill('#find-visitor', visitor);
    await page.click('#find-form [type=submit]');
    await isShown(page, '#visitor-state', 'In line, number 1, position 1');
    await page.click('#eject');
    await isShown(page, 'dialog', 'can join again at the end');
    await confirm(page);
    await isShown(waiting, '#say', 'has ended your place');
    await isShown(page, '#visitor-state', 'Not in line');
    await waiting.click('#join');
    await isShown(waiting, '#number', '2');
    await page.click('#find-form [type=submit]');
    await isShown(page, '#visitor-state', 'number 2');
    await page.click('#ban');
    await isShown(page, 'dialog', 'cannot join again');
    await confirm(page);
    await isShown(waiting, '#say', 'has excluded you');
    expect(await waiting.locator('#join').count()).toBe(0);
    await waiting.reload();
    await isShown(waiting, '#say', 'has excluded you');
    await isShown(page, '#visitor-state', 'Banned');
    await isShown(page, '#access-entries', visitor);
  });

  it('creates a staff link that one device uses, in Korean too, and revokes it', async () => {
    const { signIn, visit, url } = await open();
    const page = await signIn(korean);
    await page.fill('#pass-name', '민아');
    await page.click('#pass-create [type=submit]');
    await until('the link', async () => (await page.inputValue('#pass-link')).startsWith(`${url}/queue/concert/pass#`));
    const path = (await page.inputValue('#pass-link')).slice(url.length);
    await isShown(page, '#access-entries', '관계자 링크 (미사용)');
    const device = await visit(path, korean);
    await isShown(device, '#say', '한 대의 기기에서만');
    // Nothing is used up by looking at the page.
    const other = await visit(path);
    await device.click('#enter');
    await isShown(device, '#say', '대기 없이 입장할 수 있습니다');
    expect(device.url()).toBe(`${url}/queue/concert/pass`);
    const [cookie] = (await device.context().cookies()).filter(({ name }) => name === 'fairline-pass');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    await other.click('#enter');
    await isShown(other, '#say', 'already opened on another device');
    expect((await other.context().cookies()).map(({ name }) => name)).not.toContain('fairline-pass');
    await isShown(page, '#access-entries', '관계자 출입');
    const verify = async () => {
      const headers = {
        'x-forwarded-method': 'GET',
        'x-forwarded-uri': '/api/seats/events/concert',
        cookie: `fairline-pass=${cookie!.value}`,
      };
      return (await fetch(`${url}/gate/verify`, { headers })).status;
    };
    expect(await verify()).toBe(200);
    await page.click('#access-entries button');
    await confirm(page);
    await until('the pass to end', async () => (await verify()) === 403);
  });

  it('is accessible, light and dark, on a phone and on a desk', async () => {
    const { signIn, visit, context } = await open();
    await context.access.live.put({
      ...context.access.live.createFacts('concert', { minutes: 30, about: 'reseller' }),
      group: 'ban',
      visitor: 'guest:0123456789abcdef',
    });
    for (const options of [
      { ...korean, colorScheme: 'dark', viewport: { width: 390, height: 844 } },
      { ...english, colorScheme: 'light', viewport: { width: 1280, height: 900 } },
    ] as const) {
      const page = await signIn(options);
      await isShown(page, '#access-entries', 'guest:0123456789abcdef');
      expect(await axeViolations(page)).toEqual([]);
      expect(await axeViolations(await visit('/queue/concert/pass#x', options))).toEqual([]);
    }
  });
});
