/** The account pages in a real browser: weak and forgotten passwords, confirmed emails, sessions. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type ShopSite, shareShopDatabase } from './shop-site.ts';

/** Hashing is slow on purpose. */
vi.setConfig({ testTimeout: 180_000 });

const phone = { width: 390, height: 844 };
const desk = { width: 1200, height: 800 };

describeWithBrowser('the account pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  const { openSite } = shareShopDatabase();

  async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) await page.fill(`input[name=${name}]`, value);
    await page.keyboard.press('Enter');
  }
  /** The path and fragment of the latest mailed link to this page. */
  const linkTo = ({ context }: ShopSite, path: string) =>
    until(`a mail with a link to ${path}`, () => {
      const dir = join(context.config.dataDir, 'mail');
      const files = context.accounts === undefined ? [] : listFiles(dir);
      const texts = files.map((name) => readFileSync(join(dir, name), 'utf8').replaceAll('=\n', ''));
      return texts.flatMap((text) => text.match(new RegExp(`/${path}#[\\w-]+`)) ?? []).at(-1);
    });
  const says = (page: Page, tone: 'success' | 'danger') => page.locator(`.banner.${tone}`).last().waitFor();

  it.each([
    ['a phone in the dark', phone, 'dark', 'ko-KR'],
    ['a desk in the light', desk, 'light', 'en-GB'],
  ] as const)('work on %s, without axe violations', async (_what, viewport, colorScheme, locale) => {
    const site = await openSite();
    const { url } = site;
    const email = `mina-${locale}@example.org`;
    const page = await openPage(browser, { viewport, colorScheme, locale });
    const violations: string[] = [];
    const judge = async () => violations.push(...(await axeViolations(page)));

    await page.goto(`${url}/sign-in`);
    await page.locator('.sign-in button.plain').click();
    await fillIn(page, { email, password: 'qwerty123' });
    await says(page, 'danger');
    await judge();
    await fillIn(page, { email, password: 'correct horse' });
    await page.waitForURL(/\/me$/);

    await page.goto(url + (await linkTo(site, 'confirm-email')));
    await page.locator('button.main').click();
    await says(page, 'success');
    expect(page.url()).toBe(`${url}/confirm-email`);
    await judge();

    await page.context().clearCookies();
    await page.goto(`${url}/forgot-password`);
    await judge();
    await fillIn(page, { email });
    await says(page, 'success');
    await page.goto(url + (await linkTo(site, 'reset-password')));
    await judge();
    await fillIn(page, { password: 'another horse' });
    await page.waitForURL(/\/me$/);

    const other = await openPage(browser, { locale });
    await other.goto(`${url}/sign-in`);
    await fillIn(other, { email, password: 'another horse' });
    await other.waitForURL(/\/me$/);
    await page.reload();
    await page.locator('.sessions li').nth(1).waitFor();
    await judge();
    await page.locator('.sessions + .actions button').click();
    await page.locator('.sessions li').nth(1).waitFor({ state: 'detached' });
    await page.fill('input[name=current]', 'another horse');
    await fillIn(page, { password: 'changed horse' });
    await says(page, 'success');
    expect(violations).toEqual([]);
    // The email is confirmed, so nothing asks for it.
    expect(await page.locator('.security > .card').count()).toBe(2);
    expect((await page.request.get(`${url}/api/auth/sessions`)).status()).toBe(200);
    expect((await other.request.get(`${url}/api/auth/sessions`)).status()).toBe(401);
  });
});

function listFiles(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith('.eml'))
      .sort();
  } catch {
    return [];
  }
}
