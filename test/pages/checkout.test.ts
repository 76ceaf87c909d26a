/** Checkout and tickets in a real browser: the buyer, the timer, the seats' own codes, links and ways back. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { fillBuyer, MINA } from './buyer-form.ts';
import { type ShopSite, type ShopSiteOptions, shareShopDatabase } from './shop-site.ts';

vi.setConfig({ testTimeout: 180_000 });

const english = { locale: 'en-GB', viewport: { width: 1280, height: 900 } };
const phone = { locale: 'ko-KR', viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

describeWithBrowser('checkout and tickets', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  const { openSite } = shareShopDatabase();
  const says = (page: Page, text: string) => page.getByText(text).filter({ visible: true }).first().waitFor();

  /** Holds two seats through the line, and shows their checkout. */
  async function hold(site: ShopSite, options: BrowserContextOptions = english): Promise<Page> {
    const page = await openPage(browser, options);
    await page.goto(`${site.url}/queue/${site.eventId}`);
    await page.waitForURL(/\/seats$/);
    const held = await page.request.post(`${site.url}/api/seats/reserve`, {
      data: { eventId: site.eventId, best: { count: 2, section: 'A' } },
      headers: { origin: site.url },
    });
    await page.goto(`${site.url}/checkout/${(await held.json()).reservationId}`);
    await page.locator('.checkout').waitFor();
    return page;
  }
  async function buy(site: ShopSite, options?: BrowserContextOptions): Promise<Page> {
    const page = await hold(site, options);
    await fillBuyer(page);
    await page.locator('.checkout [type=submit]').click();
    await page.waitForURL(/\/reservations\//);
    await page.locator('.entry').first().waitFor();
    return page;
  }
  const openShort = (options: ShopSiteOptions = {}) => openSite(options);

  it('keeps event, date, venue, seats and total in view, with the time zone of the venue', async () => {
    const page = await hold(await openSite());
    const order = page.locator('.order');
    await until('the event', async () => (await order.innerText()).includes('Seoul Hall'));
    const text = await order.innerText();
    for (const part of ['Spring night', 'Saturday', 'Korean', 'row 1', '180,000']) expect(text).toContain(part);
    expect(await order.locator('.poster-image').count()).toBe(1);
    const [left, right] = [await page.locator('.checkout').boundingBox(), await order.boundingBox()];
    expect(right!.x).toBeGreaterThan(left!.x + left!.width);
  });

  it('says until when there is a refund, and shows the codes before all else on a phone', async () => {
    const page = await hold(await openSite(), { ...english, viewport: phone.viewport });
    await says(page, 'Cancel for a full refund until Friday, April 30, 2100');
    await fillBuyer(page);
    await page.locator('.checkout [type=submit]').click();
    await page.waitForURL(/\/reservations\//);
    await says(page, 'Cancel for a full refund until Friday, April 30, 2100');
    const [code, facts] = [page.locator('.entry').first(), page.locator('.booking-facts')];
    expect((await code.boundingBox())!.y).toBeLessThan((await facts.boundingBox())!.y);
  });

  it('finds two seats unless told otherwise, also when the event arrives after the map', async () => {
    const site = await openSite();
    const page = await openPage(browser, english);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(`**/api/events/${site.eventId}`, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${site.url}/queue/${site.eventId}`);
    await page.waitForURL(/\/seats$/);
    const count = page.locator('.best select').first();
    await count.waitFor();
    goOn();
    await until('the limit of the event', async () => (await count.locator('option').count()) === 4);
    expect(await count.inputValue()).toBe('2');
  });

  it('does not pay without the buyer and the consent: problems stand beside the fields, the first has the focus', async () => {
    const page = await hold(await openSite(), phone);
    await page.locator('.checkout [type=submit]').click();
    await says(page, '이름을 입력해 주세요.');
    expect(await page.locator('[aria-invalid=true]').count()).toBe(4);
    expect(await page.evaluate('document.activeElement.name')).toBe('name');
    expect(await axeViolations(page)).toEqual([]);
    await fillBuyer(page, { email: 'mina' });
    await page.locator('.checkout [type=submit]').click();
    await until('the focus', async () => (await page.evaluate('document.activeElement.name')) === 'email');
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
    expect(await page.locator('#field-email-problem').innerText()).toContain('이메일 주소');
    await page.fill('input[name=email]', MINA.email);
    await page.locator('.checkout [type=submit]').click();
    await page.waitForURL(/\/reservations\//);
  });

  it('turns red under a minute, says so to screen readers, and gives more time once', async () => {
    const site = await openShort({ env: { HOLD_SECONDS: '40', HOLD_EXTENSION_SECONDS: '300' } });
    const page = await hold(site);
    await page.locator('.hold-timer.urgent').waitFor();
    await until('the announcement', async () =>
      (await page.locator('.hold-timer [aria-live]').innerText()).includes('1 minute left'),
    );
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'I need more time' }).click();
    await page.locator('.hold-timer:not(.urgent)').waitFor();
    await says(page, 'This is possible once.');
    expect(await page.getByRole('button', { name: 'I need more time' }).count()).toBe(0);
  });

  it('says clearly that a card was declined, and that a bank has not answered', async () => {
    const page = await hold(await openSite());
    await says(page, 'Test mode');
    await fillBuyer(page);
    await page.getByLabel('Card that is declined').check();
    await page.locator('.checkout [type=submit]').click();
    await page.locator('.banner.danger', { hasText: 'The card was declined' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('after three seconds').check();
    await page.locator('.checkout [type=submit]').click();
    await page.locator('.banner', { hasText: 'Waiting for your bank' }).waitFor();
    await page.waitForURL(/\/reservations\//);
  });

  it('leads from the list of tickets back to a payment while seats are held', async () => {
    const site = await openSite();
    const page = await hold(site);
    await page.goto(`${site.url}/me`);
    await says(page, 'You are holding seats.');
    expect(await page.locator('.banner').innerText()).toMatch(/[45]:\d\d left to pay for Spring night/);
    await page.getByRole('link', { name: 'Continue to payment' }).click();
    await page.waitForURL(/\/checkout\//);
  });

  it('has a code for each seat, a white full-screen view, a calendar file and a page per seat on paper', async () => {
    const site = await openSite();
    const page = await buy(site, phone);
    expect(await page.locator('.entry').count()).toBe(2);
    const sources = await page.locator('.entry img.qr').evaluateAll((all) => all.map((one) => one.getAttribute('src')));
    expect(new Set(sources).size).toBe(2);
    expect(await page.locator('.booking-code').first().innerText()).toMatch(/^FL-[2-9A-Z]{4}-[2-9A-Z]{2}$/);
    expect(await axeViolations(page)).toEqual([]);
    await page.locator('.entry .main').first().click();
    const full = page.locator('dialog.full-code');
    await full.waitFor();
    const colour = await page.evaluate("getComputedStyle(document.querySelector('.full-code')).backgroundColor");
    expect(colour).toBe('rgb(255, 255, 255)');
    expect((await full.locator('.qr').boundingBox())!.width).toBeGreaterThan(300);
    expect(await axeViolations(page)).toEqual([]);
    await full.locator('button').click();
    await full.waitFor({ state: 'detached' });

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '캘린더에 추가' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${site.eventId}.ics`);

    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.booking-facts').isVisible()).toBe(false);
    expect(await page.locator('.entry .print-only').first().isVisible()).toBe(true);
    const pages = (await page.pdf()).toString('latin1').match(/\/Type\s*\/Page\b/g);
    expect(pages).toHaveLength(2);
  });

  it('has the time of the venue on the ticket, named, with the reader’s own beside it', async () => {
    const page = await buy(await openSite(), { ...english, locale: 'en-US', timezoneId: 'America/New_York' });
    await says(page, '7:00 PM (Korean Standard Time)');
    await says(page, 'Your time: Saturday, May 1, 2100 at 6:00 AM (Eastern Daylight Time)');
  });

  it('shares one seat by a link that shows nothing else, until the booking is cancelled', async () => {
    const site = await openSite();
    const page = await buy(site);
    await page.getByRole('button', { name: 'Share this seat' }).first().click();
    const link = await page.locator('#share-link').inputValue();
    expect(await axeViolations(page)).toEqual([]);
    const friend = await openPage(browser, phone);
    await friend.goto(link);
    await friend.locator('.entry').waitFor();
    expect(await friend.locator('.entry').count()).toBe(1);
    expect(await friend.locator('main').innerText()).not.toContain(MINA.name);
    expect(await axeViolations(friend)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Cancel and refund' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel and refund' }).click();
    await says(page, 'You will be refunded in full.');
    await friend.reload();
    await friend.locator('.banner.warning').waitFor();
  });

  it('is found again by booking code and email on another device', async () => {
    const site = await openSite();
    const page = await buy(site);
    const code = await page.locator('.booking-code').first().innerText();
    const other = await openPage(browser, phone);
    await other.goto(`${site.url}/me`);
    await other.getByRole('link', { name: '비회원 예매 확인' }).click();
    await other.waitForURL(/\/find-ticket$/);
    await other.locator('[type=submit]').click();
    await other.locator('#field-bookingCode-problem').waitFor();
    expect(await axeViolations(other)).toEqual([]);
    await other.fill('input[name=bookingCode]', code.toLowerCase());
    await other.fill('input[name=email]', 'other@example.org');
    await other.locator('[type=submit]').click();
    await other.locator('.banner.danger').waitFor();
    await other.fill('input[name=email]', MINA.email);
    await other.locator('[type=submit]').click();
    await other.locator('.entry').first().waitFor();
    expect(await other.locator('.entry').count()).toBe(2);
  });

  it('fits 320 px without scrolling sideways', async () => {
    const site = await openSite();
    const page = await hold(site, { ...phone, viewport: { width: 320, height: 640 } });
    const sideways = () => page.evaluate('document.documentElement.scrollWidth > 320');
    expect(await sideways()).toBe(false);
    await page.locator('.order summary').click();
    expect(await sideways()).toBe(false);
    await page.locator('.order summary').click();
    await fillBuyer(page);
    await page.locator('.checkout [type=submit]').click();
    await page.waitForURL(/\/reservations\//);
    await page.locator('.entry').first().waitFor();
    expect(await sideways()).toBe(false);
    for (const path of ['/me', '/sign-in', '/find-ticket']) {
      await page.goto(site.url + path);
      await page.locator('.card').first().waitFor();
      expect(await sideways()).toBe(false);
    }
  });
});
