/** Runs axe on every page in its common states, light and dark. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { fillBuyer } from './buyer-form.ts';
import { shareShopDatabase } from './shop-site.ts';

const phone = { width: 390, height: 844 };

describeWithBrowser('accessibility', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  const { openSite } = shareShopDatabase();

  it.each([
    ['light', 'en-GB'],
    ['dark', 'ko-KR'],
  ] as const)('has no axe violations on any page, %s, %s', async (colorScheme, locale) => {
    const { url, eventId, context } = await openSite({ room: { maxActive: 0, message: { ko: '안내', en: 'News' } } });
    const page = await openPage(browser, { viewport: phone, colorScheme, locale });
    const found: string[] = [];
    const judge = async (selector: string) => {
      await page.locator(selector).first().waitFor();
      found.push(...(await axeViolations(page)));
    };

    await page.goto(`${url}/`);
    await judge('.card');
    await page.goto(`${url}/events/${eventId}`);
    await judge('.facts');
    await page.goto(`${url}/queue/${eventId}`);
    await judge('#ahead');
    await page.click('#leave');
    await judge('dialog[open]');
    await page.click('#question-no');
    await context.line.rooms.putRoom(eventId, { state: 'paused' });
    await judge('.banner.paused');
    await page.goto(`${url}/queue/${eventId}?plain=1`);
    await judge('#number');
    await context.line.rooms.putRoom(eventId, { state: 'open', maxActive: 10 });
    await page.goto(`${url}/queue/${eventId}`);
    await page.waitForURL(/\/seats$/);
    await judge('canvas');
    await page.locator('.map-tabs button').last().click();
    await page.locator('.seat-list button').first().click();
    await judge('.choice li');
    await page.goto(`${url}/events/${eventId}/book`);
    await judge('.stepper');
    await page.goto(`${url}/events/${eventId}/seats`);
    await page.locator('.best button[type=submit]').click();
    await page.locator('.banner.held a').click();
    await page.waitForURL(/\/checkout\//);
    await judge('.methods');
    await page.locator('.checkout button.plain').click();
    await judge('dialog[open]');
    await page.keyboard.press('Escape');
    await fillBuyer(page);
    await page.locator('.checkout button[type=submit]').click();
    await page.waitForURL(/\/reservations\//);
    await judge('.qr');
    await page.goto(`${url}/me`);
    await judge('.reservations li');
    await page.goto(`${url}/sign-in`);
    await judge('.sign-in');
    await page.goto(`${url}/find-ticket`);
    await judge('form.card');
    await page.goto(`${url}/shared-ticket#nothing`);
    await judge('.banner.warning');
    await page.goto(`${url}/events/nothing`);
    await judge('.notice.warn');
    await context.tier1.switching.activate('concert');
    await page.goto(`${url}/vwr/concert`);
    await judge('#ahead');
    expect(found).toEqual([]);
  });
});
