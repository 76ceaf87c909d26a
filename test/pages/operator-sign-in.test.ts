/** Signing in to the operator page with an account and a second factor, in a real browser against the running program. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeAt, fromBase32, stepAt } from '../../src/identity/totp.ts';
import { axeViolations } from '../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { type PostgresDatabases, sharedPostgres } from '../support/postgres-server.ts';
import { runApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const EMAIL = 'ann@example.org';
const PASSWORD = 'a long password of an operator';

describeWithBrowser('an operator with an account', () => {
  let browser: Browser;
  let server: PostgresDatabases;
  beforeAll(async () => {
    [browser, server] = await Promise.all([startBrowser(), sharedPostgres()]);
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function open(setting: string) {
    const env = {
      ...secrets,
      SHOP: 'on',
      DATABASE_URL: await server.createDatabase(),
      OPERATOR_SECOND_FACTOR: setting,
    };
    const { url } = await runApp({ env });
    const send = (method: string, path: string, body: object) =>
      fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secrets.ADMIN_TOKEN}` },
        body: JSON.stringify(body),
      });
    const registered = await fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    expect(registered.status).toBe(201);
    expect((await send('PUT', '/api/admin/accounts/role', { email: EMAIL, role: 'operator' })).status).toBe(200);
    const page = await openPage(browser, { locale: 'en-GB' });
    await page.goto(`${url}/admin`);
    return page;
  }

  async function signIn(page: Page): Promise<void> {
    await page.fill('#email', EMAIL);
    await page.fill('#password', PASSWORD);
    await page.click('#sign-in-account [type=submit]');
  }

  /** Reads the key that the page shows, as an app does, and enters the code. */
  async function enrol(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
    await page.waitForSelector('#factor-key');
    const secret = (await page.innerText('#factor-key')).replaceAll(' ', '');
    expect(await page.locator('.qr svg path').count()).toBe(1);
    await page.fill('#code', codeAt(fromBase32(secret), stepAt(Date.now() / 1000)));
    await page.click('#confirm-factor [type=submit]');
    await page.waitForSelector('#recovery-codes');
    const recoveryCodes = await page.locator('#recovery-codes code').allInnerTexts();
    await page.click('#recovery-stored');
    return { secret, recoveryCodes };
  }

  it('sets up a second factor, and needs it from then on', async () => {
    const page = await open('optional');
    await page.fill('#email', EMAIL);
    await page.fill('#password', 'not the password');
    await page.click('#sign-in-account [type=submit]');
    await until('the problem', async () => (await page.innerText('#password-problem')).includes('Wrong email'));
    await signIn(page);
    await page.click('nav a[href="#/account"]');
    await page.click('#set-up-factor');
    expect(await axeViolations(page)).toEqual([]);
    const { recoveryCodes } = await enrol(page);
    await until('the state', async () => (await page.innerText('#factor-state')).includes('Recovery codes left: 10'));
    expect(await axeViolations(page)).toEqual([]);
    await page.click('#sign-out');
    await signIn(page);
    await page.fill('#code', '000000');
    await page.click('#enter-code [type=submit]');
    await until('the problem', async () => (await page.innerText('#code-problem')).includes('wrong'));
    expect(await axeViolations(page)).toEqual([]);
    await page.fill('#code', recoveryCodes[0]!);
    await page.click('#enter-code [type=submit]');
    await page.waitForSelector('#sign-out');
    await page.click('nav a[href="#/audit"]');
    await until('the chain', async () => (await page.innerText('#audit-chain')).includes('The chain holds'));
    await until('the entries', async () => (await page.innerText('#audit')).includes('Set up a second factor'));
  });

  it('must set one up where it is required', async () => {
    const page = await open('required');
    await signIn(page);
    await page.waitForSelector('#enrol');
    expect(await page.locator('#sign-out').count()).toBe(0);
    await enrol(page);
    await page.waitForSelector('#sign-out');
  });
});
