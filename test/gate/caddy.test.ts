/** The configuration in deploy/caddy, in a real Caddy in front of a plain site. */
import { describe, expect, it } from 'vitest';
import { readRecipe } from '../recipes/recipes.ts';
import { hasCaddy, startCaddy } from '../support/caddy-server.ts';
import { freePort } from '../support/free-port.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { secrets } from '../support/test-app.ts';
import { ask } from './proxy/run-gate.ts';

const SEATS = '/api/seats/events/concert';

describe.skipIf(!hasCaddy)('Caddy with the gate (Debian: apt-get install caddy)', () => {
  it('refuses requests without a token, passes admitted visitors, and cannot be bypassed', async () => {
    const fairline = await runApp({ env: secrets, room: { maxActive: 1 } });
    await fairline.context.line.rooms.putRoom('festival', {});
    await fairline.context.tier1.switching.activate('festival');
    const site = await startSite();
    const url = await startHere({ fairline: new URL(fairline.url).host, site: new URL(site.url).host });
    site.asked.length = 0;

    expect((await ask(url, SEATS)).json).toMatchObject({ redirectTo: '/queue/concert' });
    expect(await ask(url, '/events/festival')).toMatchObject({
      status: 302,
      headers: { location: '/vwr/festival?to=%2Fevents%2Ffestival' },
    });
    const fromForm = { referer: `${url}/events/concert?row=4` };
    expect((await ask(url, SEATS, { method: 'POST', headers: fromForm })).json).toMatchObject({
      redirectTo: '/queue/concert?to=%2Fevents%2Fconcert%3Frow%3D4',
    });
    for (const path of ['/api%2fseats/1', '/vwr/../api/seats/1', '//api/seats/1', '/API/Seats/1']) {
      expect([400, 403], path).toContain((await ask(url, path)).status);
    }
    const described = { 'x-original-uri': '/health', 'x-original-method': 'GET', 'x-forwarded-uri': '/health' };
    expect((await ask(url, SEATS, { headers: described })).status).toBe(403);
    expect(site.asked).toEqual([]);

    const joined = await ask(url, '/api/queue/check/concert', { method: 'POST' });
    const cookie = [joined.headers['set-cookie'] ?? []]
      .flat()
      .map((text) => text.split(';')[0])
      .join('; ');
    const passed = await ask(url, SEATS, { headers: { cookie, 'x-user-id': 'admin' } });
    expect(passed.json).toMatchObject({ url: SEATS, headers: { 'x-user-id': expect.stringMatching(/^(?!admin)./) } });
  });
});

async function startHere({ fairline, site }: { fairline: string; site: string }): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = readRecipe('caddy/Caddyfile')
    .replace(':8080', `:${port}`)
    .replaceAll('127.0.0.1:3000', fairline)
    .replaceAll('127.0.0.1:8081', site);
  await startCaddy(config, url);
  return url;
}
