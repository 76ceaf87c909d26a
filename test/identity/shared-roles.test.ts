/** Roles and service keys with PostgreSQL: of accounts, and between processes. */
import { describe, expect, it } from 'vitest';
import { newEmail, openBrowser, shareAccountDatabase } from '../accounts/account-site.ts';
import { describeWithPostgres } from '../support/postgres-server.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const fromPage = { 'sec-fetch-site': 'same-origin' };

describeWithPostgres('with PostgreSQL', () => {
  const { createSite } = shareAccountDatabase();

  describe('the role of an account', () => {
    it('limits what its session may do, changes at once, and is listed', async () => {
      const site = await createSite();
      const email = newEmail('vic');
      const browser = openBrowser(site);
      await browser.sign('register', email);
      const setRole = (role: string) => site.operator('PUT', '/api/admin/accounts/role', { body: { email, role } });
      expect((await setRole('viewer')).json()).toMatchObject({ email, role: 'viewer' });
      const who = (await browser.sign('login', email)).json();
      expect(who).toMatchObject({ role: 'operator', operatorRole: 'viewer' });
      const session = (await browser.ask('GET', '/api/admin/session')).json();
      expect(session).toMatchObject({ signedIn: true, by: email, name: email, role: 'viewer' });
      const change = async () =>
        (await browser.ask('PUT', '/api/admin/rooms/concert', { maxActive: 2 }, fromPage)).statusCode;
      const clear = async () =>
        (await browser.ask('POST', '/api/queue/admin/clear/concert', undefined, fromPage)).statusCode;
      expect([await change(), await clear()]).toEqual([403, 403]);
      await setRole('operator');
      expect([await change(), await clear()]).toEqual([201, 403]);
      await setRole('admin');
      expect([await change(), await clear()]).toEqual([200, 200]);
      const { accounts } = (await site.operator('GET', '/api/admin/operators')).json();
      expect(accounts).toContainEqual({ email, role: 'admin', secondFactor: false });
      await setRole('user');
      expect([await change(), await clear()]).toEqual([401, 401]);
    });
  });

  describe('a service key', () => {
    it('made by one process works in another, and is refused there after its end', async () => {
      const [a, b] = [await createSite(), await createSite()];
      // Its copy of the keys is from before.
      expect((await b.operator('GET', '/api/admin/service-keys')).statusCode).toBe(200);
      const body = { name: `key-${process.pid}`, role: 'viewer' };
      const { token } = (await a.operator('POST', '/api/admin/service-keys', { body })).json();
      const read = async () =>
        (await b.anyone('GET', '/api/admin/rooms', { headers: { authorization: `Bearer ${token}` } })).statusCode;
      await until('the key to work in the other process', async () => (await read()) === 200);
      await a.app.inject({
        method: 'DELETE',
        url: `/api/admin/service-keys/${body.name}`,
        headers: { authorization: `Bearer ${secrets.ADMIN_TOKEN}` },
      });
      // 429 if the polls before the key worked were too many wrong attempts.
      await until('the key to be refused in the other process', async () => [401, 429].includes(await read()));
    });
  });
});
