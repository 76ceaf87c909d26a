/** The gate in front of the pages of our own shop, in the one-process product. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const EVENT_PAGES = ['/events/concert', '/events/concert/seats', '/events/concert/book'];
const FREE_PAGES = [
  '/',
  '/events/other',
  '/events/other/seats',
  '/sign-in',
  '/me',
  '/membership',
  '/admin',
  '/assets/shop.js',
];

async function openShop(env: Record<string, string> = {}) {
  const test = await createTestApp(env);
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1 } });
  const get = async (url: string, cookie = '') => test.anyone('GET', url, { headers: { cookie } });
  const switchTier1 = async (how: 'activate' | 'deactivate') => {
    const answer = await test.operator('POST', `/api/admin/vwr/${how}/concert`);
    expect(answer.statusCode).toBe(200);
  };
  return { ...test, get, switchTier1 };
}

describe('the pages of our own shop', () => {
  it.each(EVENT_PAGES)('send visitors of %s to tier 1 while it is on for the event', async (page) => {
    const { get, switchTier1 } = await openShop();
    expect((await get(page)).statusCode).toBe(200);
    await switchTier1('activate');
    await until('tier 1 to be on', async () => (await get(page)).statusCode === 302);
    const refused = await get(`${page}?ref=mail`);
    expect(refused.headers).toMatchObject({
      location: `/vwr/concert?to=${encodeURIComponent(`${page}?ref=mail`)}`,
      'cache-control': 'no-store',
    });
    await switchTier1('deactivate');
    await until('tier 1 to be off', async () => (await get(page)).statusCode === 200);
  });

  it('stay free where tier 1 is off, as do accounts, operators and assets', async () => {
    const { get, switchTier1 } = await openShop();
    await switchTier1('activate');
    await until('tier 1 to be on', async () => (await get('/events/concert')).statusCode === 302);
    for (const page of FREE_PAGES) expect([page, (await get(page)).statusCode]).toEqual([page, 200]);
    expect((await get('/events/other')).headers['cache-control']).toBe('public, max-age=60');
  });

  it('open with the vwr token of the event, and are then not cached for others', async () => {
    const { get, switchTier1, context } = await openShop();
    await switchTier1('activate');
    await until('tier 1 to be on', async () => (await get('/events/concert')).statusCode === 302);
    const { device, token: deviceToken } = context.tier1.devices.create();
    const cookie = `fairline-device=${deviceToken}`;
    const token = (eventId: string) => context.vwrTokens.issue({ eventId, device, position: 1, tokenId: 'place.1' });
    const passed = await get('/events/concert', `${cookie}; urr-vwr-token=${token('concert')}`);
    expect([passed.statusCode, passed.headers['cache-control']]).toEqual([200, 'no-store']);
    expect((await get('/events/concert', `${cookie}; urr-vwr-token=${token('other')}`)).statusCode).toBe(302);
    expect((await get('/events/concert', `urr-vwr-token=${token('concert')}`)).statusCode).toBe(302);
  });

  it('follow the default rules, whatever a rules file says about the site behind a proxy', async () => {
    const file = `${tempFolder()}/rules.json`;
    writeFileSync(file, JSON.stringify({ otherwise: 'deny', rules: [{ path: '/x/{eventId}', require: 'entry' }] }));
    const { get, switchTier1 } = await openShop({ GATE_RULES_FILE: file });
    expect((await get('/events/concert')).statusCode).toBe(200);
    await switchTier1('activate');
    await until('tier 1 to be on', async () => (await get('/events/concert')).statusCode === 302);
  });

  it('look up the active events at most once per second', async () => {
    const { get, context } = await openShop();
    let lookups = 0;
    const { store } = context.tier1;
    const list = store.listActive.bind(store);
    store.listActive = () => {
      lookups += 1;
      return list();
    };
    const startedAt = performance.now();
    for (let i = 0; i < 200; i += 1) await get('/events/concert');
    expect(lookups).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 1_000);
    expect(lookups).toBeGreaterThan(0);
  });
});
