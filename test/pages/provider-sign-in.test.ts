/** Operators of a real OpenID provider in a real browser: signing in, what each role sees, and a provider that is away. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';
import { runApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

interface Site {
  url: string;
  provider: OidcProvider;
  stop(): Promise<void>;
}

describeWithBrowser('an operator of the identity provider', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function openSite(): Promise<Site> {
    // The provider has to know the address of the site before it starts.
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const client = { clientId: 'fairline', clientSecret: 's', redirectUris: [`${url}/admin/callback`] };
    const provider = await startOidcProvider({
      clients: [client],
      users: {
        ann: { email: 'ann@example.org', email_verified: true, roles: ['fairline-admin'] },
        vic: { email: 'vic@example.org', email_verified: true, roles: ['fairline-viewer'] },
        oda: { email: 'oda@example.org', email_verified: true },
      },
    });
    const env = {
      ...secrets,
      OPERATOR_ISSUER: provider.issuer,
      OPERATOR_CLIENT_ID: client.clientId,
      OPERATOR_CLIENT_SECRET: client.clientSecret,
      OPERATOR_PROVIDER_NAME: 'Acme ID',
    };
    const { stop } = await runApp({ env, port });
    return { url, provider, stop };
  }

  async function signIn({ url }: Pick<Site, 'url'>, user: string, hash = ''): Promise<Page> {
    const page = await openPage(browser, { locale: 'en-GB' });
    await page.goto(`${url}/admin${hash}`);
    await page.click('#provider');
    await page.fill('[name=user]', user);
    await page.click('button');
    return page;
  }
  const isShown = (page: Page, selector: string, text: string) =>
    until(`"${text}" in ${selector}`, async () => (await page.locator(selector).textContent())?.includes(text));

  it('signs in, comes back to where they were, and sees what the role may do', async () => {
    const site = await openSite();
    const page = await signIn(site, 'vic', '#/rooms/concert');
    await page.waitForSelector('#who');
    expect(await page.innerText('#who')).toMatch(/vic@example\.org\s*Viewer/);
    expect(page.url()).toBe(`${site.url}/admin#/rooms/concert`);
    await page.click('#advanced > summary');
    await page.waitForSelector('#settings');
    for (const hidden of ['#controls', '#message', '#review', '#access-add', '#activate']) {
      expect(await page.locator(hidden).isVisible(), hidden).toBe(false);
    }
    expect(await page.locator('#setting-maxActive').isDisabled()).toBe(true);
    expect(await page.locator('nav a[href="#/operators"]').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    // The page hides it; the server refuses it.
    const status = await page.evaluate(async () => {
      const body = JSON.stringify({ state: 'closed' });
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/api/admin/rooms/concert', { method: 'PUT', headers, body })).status;
    });
    expect(status).toBe(403);
  });

  it('is invited by an admin, who also makes and revokes a service key', async () => {
    const site = await openSite();
    const refused = await signIn(site, 'oda');
    await isShown(refused, '.note', 'have no role here');
    expect(await axeViolations(refused)).toEqual([]);

    const page = await signIn(site, 'ann', '#/operators');
    await page.waitForSelector('#keys');
    expect(await page.innerText('#who')).toMatch(/ann@example\.org\s*Admin/);
    await page.fill('#invite-email', 'oda@example.org');
    await page.selectOption('#invite-role', 'operator');
    await page.click('#invite [type=submit]');
    await isShown(page, '#invitations', 'oda@example.org');

    await page.fill('#key-name', 'deploy');
    await page.selectOption('#key-role', 'operator');
    await page.click('#create-key [type=submit]');
    const token = await until('the key', async () => (await page.inputValue('#key-token')) || undefined);
    await isShown(page, '#keys', 'deploy');
    const read = async () =>
      (await fetch(`${site.url}/api/admin/rooms`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await read()).toBe(200);
    expect(await axeViolations(page)).toEqual([]);
    await page.click('#keys button');
    await page.click('dialog .danger');
    await until('the key to be refused', async () => (await read()) === 401);

    const invited = await signIn(site, 'oda', '#/rooms/concert');
    await invited.waitForSelector('#pause');
    expect(await invited.locator('#clear').isVisible()).toBe(false);
    await invited.click('#pause');
    await invited.waitForSelector('#resume:visible');
    const trail = await fetch(`${site.url}/api/admin/audit`, {
      headers: { authorization: `Bearer ${secrets.ADMIN_TOKEN}` },
    });
    const entries = (await trail.json()) as { action: string; by: string }[];
    expect(entries.find(({ action }) => action === 'change room')?.by).toBe('oidc:oda@example.org');
    expect(entries.find(({ action }) => action === 'revoke service key')?.by).toBe('oidc:ann@example.org');
  });

  it('goes on while the provider is away; others read why they cannot sign in, and can once it is back', async () => {
    const site = await openSite();
    const page = await signIn(site, 'ann', '#/rooms/concert');
    await page.waitForSelector('#pause:visible');
    await site.provider.stop();
    await page.reload();
    await page.click('#pause');
    await page.waitForSelector('#resume:visible');

    // The discovery document is known, so the browser goes to the provider, which does not answer: the way back fails.
    const other = await openPage(browser, { locale: 'en-GB' });
    await other.goto(`${site.url}/admin/callback?code=c&state=s`);
    await isShown(other, '.note', 'refused or took too long');
    expect(other.url()).toBe(`${site.url}/admin`);
    await site.provider.start();
    await other.click('#provider');
    await other.fill('[name=user]', 'vic');
    await other.click('button');
    await other.waitForSelector('#who');
  });

  it('reads why, if the provider was never reached, and signs in with a token instead', async () => {
    const env = { ...secrets, OPERATOR_ISSUER: 'http://127.0.0.1:1', OPERATOR_CLIENT_ID: 'fairline' };
    const { url } = await runApp({ env });
    const page = await openPage(browser, { locale: 'ko-KR' });
    await page.goto(`${url}/admin`);
    await page.click('#provider');
    await isShown(page, '#provider-problem', '인증 서버에 연결할 수 없습니다');
    expect(await axeViolations(page)).toEqual([]);
    await page.click('#other-ways summary');
    await page.fill('#token', secrets.ADMIN_TOKEN);
    await page.click('#sign-in-token [type=submit]');
    await page.waitForSelector('#who');
    expect(await page.innerText('#who')).toMatch(/admin-token\s*관리자/);
  });
});
