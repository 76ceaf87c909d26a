/**
 * The clients in other languages: their own tests, among them the vectors, and the example of their README in front of a
 * line whose keys change. One process for each language, because each takes seconds to start.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { runApp } from '../support/running-app.ts';
import { startServer } from '../support/start-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { type Client, clients } from './clients.ts';
import { createSigningKey, startIssuer } from './issuer.ts';

/** Maven and Go may have to download or compile first. */
const SLOW_MS = 300_000;

async function startExample(client: Client, lineUrl: string): Promise<string> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const { command, args, env } = await client.prepareExample(tempFolder());
  await startServer({
    command,
    args: args.map((text) => text.replace('$PORT', port)),
    folder: client.folder,
    env: { ...process.env, ...env, PORT: port, LINE_URL: lineUrl },
    url,
  });
  return url;
}

for (const client of clients) {
  const name = client.isHere ? `the ${client.name} client` : `the ${client.name} client: ${client.howToEnable}`;
  describe.skipIf(!client.isHere)(name, () => {
    it('passes its tests and the vectors', { timeout: SLOW_MS }, async () => {
      expect(await client.runTests()).not.toContain('Skipped');
    });

    it('shows its example in the README', () => {
      const readme = readFileSync(join(client.folder, 'README.md'), 'utf8');
      expect(readme).toContain(readFileSync(join(client.folder, client.example), 'utf8').replace('<?php\n\n', ''));
    });

    it('runs its example while keys are rotated and retired', { timeout: SLOW_MS }, async () => {
      const [first, second] = [createSigningKey('first'), createSigningKey('second')];
      const line = await startIssuer();
      const startedAt = performance.now();
      line.publish(first);
      const url = await startExample(client, line.url);
      const ask = async (path: string, cookie = ''): Promise<string> => {
        const response = await fetch(`${url}${path}`, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
        return response.status === 302 ? `302 ${response.headers.get('location')}` : await response.text();
      };
      const [guest, later] = [line.admit(first, 'concert'), line.admit(second, 'concert')];
      const sentToWait = '302 /queue/concert?to=%2Fshop%2Fconcert';

      expect(await ask('/')).toBe('Welcome');
      expect(await ask('/shop/concert')).toBe(sentToWait);
      expect(await ask('/shop/concert', guest.cookie)).toBe(`Tickets of concert for ${guest.guest}`);
      expect(await ask('/shop/festival', guest.cookie)).toBe('302 /queue/festival?to=%2Fshop%2Ffestival');
      expect(await ask('/shop/concert', guest.tokenOnly)).toBe(sentToWait);

      line.publish(first, second);
      const isIn = (text: string) => text.startsWith('Tickets');
      await until('the new key to be accepted', async () => isIn(await ask('/shop/concert', later.cookie)));
      expect(isIn(await ask('/shop/concert', guest.cookie))).toBe(true);
      line.publish(second);
      await until('the old key to be refused', async () => !isIn(await ask('/shop/concert', guest.cookie)));
      expect(isIn(await ask('/shop/concert', later.cookie))).toBe(true);
      // Polling with unknown and retired keys all the time costs the line at most one read a second.
      expect(line.reads()).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 1000);
    });
  });
}

const here = clients.filter(({ isHere }) => isHere);

describe.skipIf(here.length === 0)('a guest of a real line', () => {
  it('passes the example of every client, and no other guest does with the same token', {
    timeout: SLOW_MS,
  }, async () => {
    const line = await runApp({ room: { maxActive: 5 } });
    const [guest, thief] = [await joinAsGuest(line.url), await joinAsGuest(line.url)];
    const stolen = `urr-entry-token=${guest.token}; ${thief.guestCookie}`;
    for (const client of here) {
      const url = await startExample(client, line.url);
      const ask = async (cookie: string) => {
        const headers = { cookie, accept: 'text/html' };
        const response = await fetch(`${url}/shop/concert`, { redirect: 'manual', headers });
        return response.status === 302 ? 'sent to wait' : await response.text();
      };
      const answers = [await ask(`urr-entry-token=${guest.token}; ${guest.guestCookie}`), await ask(stolen)];
      expect(answers, client.name).toEqual([expect.stringMatching(/^Tickets of concert for guest:/), 'sent to wait']);
    }
  });
});

async function joinAsGuest(lineUrl: string): Promise<{ token: string; guestCookie: string }> {
  const response = await fetch(`${lineUrl}/api/queue/check/concert`, { method: 'POST' });
  const cookies = response.headers.getSetCookie().map((text) => text.split(';')[0]!);
  const token = cookies.find((text) => text.startsWith('urr-entry-token='))?.slice('urr-entry-token='.length);
  const guestCookie = cookies.find((text) => text.startsWith('fairline-guest='));
  expect([token, guestCookie]).toEqual([expect.any(String), expect.any(String)]);
  return { token: token!, guestCookie: guestCookie! };
}
