/**
 * A visitor in a browser, behind each recipe, at a site that knows nothing about waiting and answers 404 to what it does
 * not have: the wanted page, browsing, an abandoned page, and a form that is sent too late.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { ask } from '../gate/proxy/run-gate.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { runApp } from '../support/running-app.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { type Recipe, recipesHere } from './recipes.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const SESSION_MS = 6_000;
/** A token is renewed from half its time on, and the cookie ends up to a second earlier. */
const SLOW_MS = SESSION_MS / 4;
const LOOK = 'fetch(location.href).then((response) => response.ok && !response.redirected)';
const names = recipesHere.map(({ name }) => name).join(', ');
const SEAT = '/shop/concert/seats/12?ref=mail&row=B%20%26%20C';

describeWithBrowser('a visitor in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  // At the same time, because each takes four sessions.
  it(`waits, gets the very page, stays while browsing, is out after leaving, and comes back to a form: behind ${names}`, async () => {
    await Promise.all(
      recipesHere.map(async (recipe) => {
        try {
          await visit(recipe, browser);
        } catch (error) {
          throw new Error(`behind ${recipe.name}: ${(error as Error).message}`, { cause: error });
        }
      }),
    );
  }, 180_000);
});

async function visit({ start }: Recipe, browser: Browser): Promise<void> {
  const line = await runApp({
    env: { ...secrets, TRUST_PROXY: '127.0.0.1', GATE_RULES_FILE: join(deploy, 'sample-site/rules.json') },
    room: { maxActive: 1, activeTtlMs: SESSION_MS, activeMaxTtlMs: 60_000 },
  });
  const url = await start({ fairline: new URL(line.url).host, site: await startSampleSite() });
  expect((await ask(url, '/no-such-page')).status).toBe(404);
  const first = await joinAsRival(url);
  expect(await first.poll()).toBe('active');

  const page = await openPage(browser);
  await page.goto(url + SEAT);
  expect(new URL(page.url()).pathname).toBe('/queue/concert');
  await first.leave();
  await seatShown(page, url);
  const visitor = await page.textContent('#visitor');
  expect(visitor).not.toBe('nobody');

  await browse(page, url);
  expect(await page.textContent('#visitor')).toBe(visitor);

  // The form stays open in another tab, and says nothing.
  const form = await page.context().newPage();
  await form.goto(url + SEAT);
  await page.close();
  const second = await joinAsRival(url);
  expect(await second.poll()).toBe('queued');
  await until('the abandoned session to end', async () => (await second.poll()) === 'active');

  await form.click('button');
  await form.waitForURL(`${url}/queue/concert**`);
  await second.leave();
  await seatShown(form, url);
  await form.click('button');
  await form.waitForURL(`${url}/shop/concert/orders`);
  expect(await form.textContent('h1')).toBe('Order taken');
}

/**
 * Stays inside for three sessions, by requests of the page: reloading it is too much for a busy machine. Begins again if
 * even these were too slow.
 */
async function browse(page: Page, url: string): Promise<void> {
  let since = Date.now();
  // The token is as old as the wait for the page was long.
  let askedAt = 0;
  while (Date.now() - since < 3 * SESSION_MS) {
    const isInside = await page.evaluate(LOOK);
    const isSlow = Date.now() - askedAt > SLOW_MS;
    askedAt = Date.now();
    if (isSlow) {
      await page.reload();
      await seatShown(page, url);
      since = Date.now();
    } else expect(isInside).toBe(true);
    await page.waitForTimeout(500);
  }
  await page.reload();
  await seatShown(page, url);
}

async function seatShown(page: Page, url: string): Promise<void> {
  await page.waitForURL(url + SEAT);
  expect(await page.textContent('h1')).toBe('Seat 12 of concert');
  expect(await page.textContent('#query')).toBe(new URL(url + SEAT).search);
}

/** Another visitor, who polls until they leave. */
async function joinAsRival(url: string) {
  const joined = await ask(url, '/api/queue/check/concert', { method: 'POST' });
  const cookie = joined.headers['set-cookie']!.map((text) => text.split(';')[0]).join('; ');
  const send = (method: string, path: string) =>
    ask(url, `/api/queue/${path}/concert`, { method, headers: { cookie } });
  const polling = setInterval(() => void send('GET', 'status').catch(() => {}), 500);
  onTestFinished(() => clearInterval(polling));
  return {
    poll: async () => (await send('GET', 'status')).json.status as string,
    async leave() {
      clearInterval(polling);
      expect((await send('POST', 'leave')).status).toBe(200);
    },
  };
}

/** The site of the guides, as the guides start it. Returns its host and port. */
async function startSampleSite(): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(deploy, 'sample-site/server.mjs'), `${port}`], { stdio: 'inherit' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await until('the site to listen', () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ),
  );
  return `127.0.0.1:${port}`;
}
