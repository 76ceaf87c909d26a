/** After the sale, in a real browser: accounts, transfers, memberships and statistics. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { fillBuyer } from './buyer-form.ts';
import { type ShopSite, shareShopDatabase } from './shop-site.ts';

const phone = { locale: 'en-GB', viewport: { width: 390, height: 844 } };
const dark = { locale: 'ko-KR', viewport: { width: 1200, height: 900 }, colorScheme: 'dark' as const };

describeWithBrowser('after the sale', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  const { openSite } = shareShopDatabase();
  const open = () => openSite({ env: { ADMIN_TOKEN: secrets.ADMIN_TOKEN, RECORDS_POLL_MS: '20' } });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const says = (page: Page, text: string) => page.getByText(text).first().waitFor();
  const expectAccessible = async (page: Page) => expect(await axeViolations(page), page.url()).toEqual([]);

  async function signInAs(page: Page, { isNew }: { isNew: boolean }, email: string, password = 'correct horse') {
    if (isNew) await page.locator('.sign-in .plain').click();
    await page.locator('[name=email]').fill(email);
    await page.locator('[name=password]').fill(password);
    await page.keyboard.press('Enter');
  }

  /** A visitor with a new account. */
  async function register({ url, eventId }: ShopSite, name: string, options = phone): Promise<Page> {
    const page = await openPage(browser, options);
    await page.goto(`${url}/sign-in`);
    await signInAs(page, { isNew: true }, `${name}-${eventId}@example.org`);
    await page.waitForURL(`${url}/me`);
    return page;
  }

  async function buy(page: Page, { url, eventId }: ShopSite): Promise<void> {
    await page.goto(`${url}/queue/${eventId}`);
    await page.waitForURL(/\/seats$/);
    await page.locator('.best select').first().selectOption('1');
    await page.locator('.best button[type=submit]').click();
    await page.locator('.banner.held a').click();
    await page.waitForURL(/\/checkout\//);
    await fillBuyer(page);
    await page.locator('.checkout button[type=submit]').click();
    await page.waitForURL(/\/reservations\//);
    await page.locator('.qr').first().waitFor();
  }

  it('registers, signs out and in, and keeps what was bought as a guest', async () => {
    const site = await open();
    const email = `guest-${site.eventId}@example.org`;
    const page = await openPage(browser, phone);
    await buy(page, site);
    await page.goto(`${site.url}/me`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInAs(page, { isNew: true }, email);
    await page.waitForURL(`${site.url}/me`);
    await says(page, email);
    await page.locator('.reservations > li').waitFor();
    await button(page, 'Sign out').click();
    await page.waitForURL(`${site.url}/`);
    await page.goto(`${site.url}/me`);
    await says(page, 'You have no tickets yet.');
    await page.goto(`${site.url}/sign-in?to=//evil.example/`);
    await signInAs(page, { isNew: false }, email, 'wrong horse');
    await says(page, 'Wrong email or password.');
    await signInAs(page, { isNew: false }, email);
    await page.waitForURL(`${site.url}/me`);
    await page.locator('.reservations > li').waitFor();
    const other = await openPage(browser, phone);
    await other.goto(`${site.url}/sign-in`);
    await signInAs(other, { isNew: true }, email, 'another horse');
    await says(other, 'An account with this email already exists.');
  });

  it('transfers an offered ticket to its buyer, with a new code', async () => {
    const site = await open();
    const ann = await register(site, 'ann');
    await buy(ann, site);
    const annsCode = await ann.locator('.code').innerText();
    await ann.goto(`${site.url}/me`);
    await button(ann, 'Offer to others').click();
    await expectAccessible(ann);
    const price = ann.getByLabel('Price (KRW)');
    await price.fill('90001');
    await button(ann, 'Offer them').click();
    expect(
      await price.evaluate(
        (input) => (input as unknown as { validity: { rangeOverflow: boolean } }).validity.rangeOverflow,
      ),
    ).toBe(true);
    await price.fill('70000');
    await button(ann, 'Offer them').click();
    await says(ann, 'offered for ₩70,000');
    await expectAccessible(ann);

    const bob = await openPage(browser, phone);
    await bob.goto(`${site.url}/events/${site.eventId}`);
    await says(bob, 'Front, row 1, seat 3');
    await expectAccessible(bob);
    await button(ann, 'Withdraw offer').click();
    await says(ann, 'Offer withdrawn.');
    await bob.reload();
    await says(bob, 'Get tickets');
    await until('the offer to be gone', async () => (await bob.locator('.offers').count()) === 0);
    await button(ann, 'Offer to others').click();
    await ann.getByLabel('Price (KRW)').fill('60000');
    await ann.keyboard.press('Enter');
    await says(ann, 'offered for ₩60,000');

    await bob.reload();
    // Also a newcomer who was given a link to the offer sees what it is.
    const link = `${site.url}${await bob.getByRole('link', { name: 'Buy for ₩60,000' }).getAttribute('href')}`;
    const [, offer = ''] = /transfers(?:%2F|\/)([\w-]+)/.exec(link)!;
    await bob.goto(`${site.url}/checkout/transfers/${offer}`);
    await says(bob, 'Sign in or create an account to buy resale tickets.');
    await bob.locator('main').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await bob.locator('.order').innerText()).toContain('60,000');
    await expectAccessible(bob);
    await bob.goto(`${site.url}/events/${site.eventId}`);
    // A newcomer is told to sign in on the event page, and comes back to the offer.
    await says(bob, 'To buy, sign in or create an account.');
    await bob.getByRole('link', { name: 'Buy for ₩60,000' }).click();
    await bob.waitForURL(/\/sign-in\?to=/);
    await signInAs(bob, { isNew: true }, `bob-${site.eventId}@example.org`);
    await bob.waitForURL(/\/checkout\/transfers\//);
    await bob.locator('.methods').waitFor();
    await expectAccessible(bob);
    const address = bob.url();
    await button(bob, 'Pay ₩60,000').click();
    await bob.waitForURL(/\/reservations\//);
    await bob.locator('.qr').first().waitFor();
    expect(await bob.locator('.code').innerText()).not.toBe(annsCode);

    await ann.reload();
    await says(ann, 'sold for ₩60,000');
    expect(await ann.locator('.reservations > li').count()).toBe(0);
    await expectAccessible(ann);
    await bob.goto(`${site.url}/me`);
    await says(bob, 'bought for ₩60,000');
    const cid = await register(site, 'cid', dark);
    await cid.goto(address);
    await says(cid, '구매할 수 없는 티켓입니다.');
    await expectAccessible(cid);
  });

  it('does not sell a visitor their own offer', async () => {
    const site = await open();
    const ann = await register(site, 'ann', dark);
    await buy(ann, site);
    await ann.goto(`${site.url}/me`);
    await button(ann, '양도하기').click();
    await button(ann, '양도 등록하기').click();
    await says(ann, '양도 중');
    await ann.goto(`${site.url}/events/${site.eventId}`);
    await ann.locator('.offers a').click();
    await says(ann, '내가 등록한 양도 티켓입니다.');
    await expectAccessible(ann);
  });

  it('sells a membership to an account, and shows how long it lasts', async () => {
    const site = await open();
    const page = await openPage(browser, phone);
    await page.goto(`${site.url}/membership`);
    await says(page, '₩30,000');
    await says(page, 'at events that reserve a share of admissions for members');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInAs(page, { isNew: true }, `member-${site.eventId}@example.org`);
    await page.waitForURL(`${site.url}/membership`);
    await button(page, 'Become a member').click();
    await page.waitForURL(/\/checkout\/memberships\//);
    await page.locator('.methods').waitFor();
    await expectAccessible(page);
    await button(page, 'Pay ₩30,000').click();
    await page.waitForURL(`${site.url}/membership`);
    await says(page, 'You are a member until');
    const year = Number(/until .*(\d{4})/.exec(await page.locator('.banner').innerText())?.[1]);
    expect(year).toBeGreaterThan(new Date().getUTCFullYear());
    await expectAccessible(page);
    await page.goto(`${site.url}/me`);
    await page.getByRole('link', { name: 'Membership' }).click();
    await button(page, 'Extend membership').waitFor();
  });

  it('shows purchases in the statistics, as charts and as numbers', async () => {
    const site = await open();
    await buy(await openPage(browser, phone), site);
    await site.context.shop!.records.tellTraffic();
    for (const options of [phone, dark]) {
      const page = await openPage(browser, options);
      await page.goto(`${site.url}/admin#/stats/${site.eventId}`);
      await page.fill('#token', secrets.ADMIN_TOKEN);
      await page.keyboard.press('Enter');
      const shows = (place: string, text: string) =>
        until(`${place} to show ${text}`, async () =>
          (await page.locator(place).allInnerTexts()).join(' ').includes(text),
        );
      await shows('#stats .facts', '90,000');
      await shows('#conversion', '100%');
      await until('all four steps', async () => {
        const counts = await page.locator('.funnel strong').allInnerTexts();
        return counts.join() === '1,1,1,1';
      });
      for (const [chart, height] of [
        ['hours', 2],
        ['days', 1],
        ['money-KRW', 1],
      ] as const) {
        const drawn = page.locator(`#chart-${chart} rect:not([height="0"])`);
        await until(`bars of ${chart}`, async () => (await drawn.count()) === height);
      }
      expect(await page.locator('#chart-money-KRW svg').getAttribute('aria-label')).toContain('90,000');
      await page.locator('#chart-money-KRW summary').click();
      await shows('#chart-money-KRW tbody', '90,000');
      await expectAccessible(page);
      await page.goto(`${site.url}/admin#/stats`);
      await shows('#stats-events tbody', site.eventId);
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  });
});
