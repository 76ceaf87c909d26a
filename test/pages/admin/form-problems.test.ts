/** Problems in forms of the operator page, in a real browser: in the language of the reader, beside their field. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithBrowser, openPage, startBrowser } from '../../support/browser.ts';
import { sharedPostgres } from '../../support/postgres-server.ts';
import { runApp } from '../../support/running-app.ts';
import { secrets } from '../../support/test-app.ts';
import { until } from '../../support/until.ts';

describeWithBrowser('problems in forms', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function signIn(hash: string): Promise<Page> {
    const database = await (await sharedPostgres()).createDatabase();
    const { url } = await runApp({
      room: { maxActive: 7 },
      env: { ADMIN_TOKEN: secrets.ADMIN_TOKEN, SHOP: 'on', DATABASE_URL: database },
    });
    const page = await openPage(browser, { locale: 'ko-KR' });
    await page.goto(`${url}/admin${hash}`);
    await page.fill('#token', secrets.ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#sign-out');
    return page;
  }
  const problemOf = async (page: Page, id: string) => {
    const problem = page.locator(`#${id}-problem`);
    await until(`a problem of ${id}`, () => problem.isVisible());
    return problem.innerText();
  };

  it('are in Korean on a Korean page: a layout and a standing area without a name', async () => {
    const page = await signIn('#/layouts/hall');
    await page.waitForSelector('#save-layout');
    await page.click('#save-layout');
    expect(await problemOf(page, 'layout-name')).toBe('필수 입력 항목입니다.');
    await page.fill('#layout-name', '홀');
    await page.getByRole('button', { name: '스탠딩 추가' }).click();
    await page.fill('#standing-name', '');
    await page.click('#save-layout');
    expect(await problemOf(page, 'standing-name')).toBe('필수 입력 항목입니다.');
    expect(await page.innerText('main')).not.toMatch(/must NOT|standing\.0/);
  });

  it('are in Korean on a Korean page: a limit below zero', async () => {
    const page = await signIn('#/rooms/concert');
    await page.fill('#limit', '-3');
    await page.click('#set-limit');
    expect(await problemOf(page, 'limit')).toBe('0 이상이어야 합니다.');
  });
});
