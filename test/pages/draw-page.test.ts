import { createHash, randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { recomputeDraw } from '../support/recompute-draw.ts';
import { runApp } from '../support/running-app.ts';
import { createTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

function publish(count: number) {
  const lots = Array.from({ length: count }, () => randomBytes(16).toString('hex')).sort();
  const list = lots.map((lot) => `${lot}\n`).join('');
  const seed = randomBytes(32);
  const draw = {
    commitment: sha256(seed),
    seed: seed.toString('hex'),
    listHash: sha256(list),
    entries: count,
    firstNumber: 7,
  };
  return { draw, list, lots };
}

/** The script of the page, which needs no browser API except Web Crypto. */
async function loadCheck() {
  const file = pathToFileURL(`${import.meta.dirname}/../../src/pages/draw/draw.js`).href;
  const { checkDraw } = await import(/* @vite-ignore */ file);
  return checkDraw as (
    draw: object,
    list: string,
    options?: object,
  ) => Promise<{
    ok: boolean;
    number?: number;
    checks: { name: string; ok: boolean }[];
  }>;
}

describe('the page that checks a draw', () => {
  it('computes the same numbers as an independent recomputation', async () => {
    const checkDraw = await loadCheck();
    const { draw, list, lots } = publish(300);
    const numbers = recomputeDraw(draw, lots);
    for (const lot of lots.slice(0, 20)) {
      const result = await checkDraw(draw, list, { lot, notedCommitment: draw.commitment });
      expect(result).toMatchObject({ ok: true, number: numbers.get(lot) });
    }
    expect(await checkDraw(draw, list, { lot: 'f'.repeat(32) })).not.toHaveProperty('number', expect.any(Number));
  });

  it('detects another seed, another list and a changed commitment', async () => {
    const checkDraw = await loadCheck();
    const { draw, list } = publish(10);
    const failing = async (changes: object, other = list, options = {}) => {
      const { ok, checks } = await checkDraw({ ...draw, ...changes }, other, options);
      expect(ok).toBe(false);
      return checks.filter((check) => !check.ok).map(({ name }) => name);
    };
    expect(await failing({ seed: randomBytes(32).toString('hex') })).toEqual(['seedMatches']);
    expect(await failing({}, list.slice(33))).toEqual(['listMatches']);
    expect(await failing({}, `${list}${randomBytes(16).toString('hex')}\n`)).toEqual(['listMatches']);
    expect(await failing({}, list, { notedCommitment: sha256('other') })).toEqual(['commitmentKept']);
  });

  it('is served with a CSP that allows only its own script', async () => {
    const { anyone } = await createTestApp();
    const page = await anyone('GET', '/draw/concert');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self';/);
    expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=/);
    const files = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files).toHaveLength(2);
    for (const path of files) {
      const file = await anyone('GET', path);
      expect(file.statusCode, path).toBe(200);
      const etag = String(file.headers.etag);
      expect((await anyone('GET', path, { headers: { 'if-none-match': etag } })).statusCode).toBe(304);
    }
  });
});

describeWithBrowser('the page that checks a draw, in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function open(locale: string) {
    const opensAt = new Date(Date.now() + 3_600_000).toISOString();
    const { url, context } = await runApp({ room: { order: 'draw', opensAt, maxActive: 0 } });
    const page = await openPage(browser, { locale });
    await page.goto(`${url}/draw/concert`);
    await page.evaluate("fetch('/api/queue/check/concert', { method: 'POST' })");
    for (let i = 0; i < 20; i += 1) await context.line.visits.join('concert', `v${i}`);
    /** The `online` event makes the page reload the draw at once. */
    const runDraw = async () => {
      await context.line.rooms.putRoom('concert', { opensAt: new Date(Date.now() - 1_000).toISOString() });
      await until('the draw to be done', async () => (await context.line.draws.findDraw('concert'))?.phase === 'drawn');
      await page.evaluate("dispatchEvent(new Event('online'))");
      await page.locator('#form').waitFor();
      await until('the lot to be found', async () => (await page.locator('#lot').inputValue()) !== '');
    };
    return { page, runDraw };
  }

  const isShown = (page: Page, id: string, text: string) =>
    until(`${id} to say ${text}`, async () => (await page.locator(`#${id}`).innerText()).includes(text));

  it('updates when the draw is done, and confirms the visitor’s own number', async () => {
    const { page, runDraw } = await open('en-GB');
    await isShown(page, 'status', 'has not taken place yet');
    await runDraw();
    await page.click('#form button');
    await isShown(page, 'verdict', 'the published seed gives you number');
    expect(await page.locator('#checks .good').count()).toBe(4);
    await page.fill('#lot', 'f'.repeat(32));
    await page.click('#form button');
    await isShown(page, 'verdict', 'did not take part');
  });

  it('reports in Korean that the published seed does not match the commitment', async () => {
    const { page, runDraw } = await open('ko-KR');
    await isShown(page, 'status', '아직 추첨 전입니다');
    await page.route('**/api/rooms/concert/draw', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), seed: randomBytes(32).toString('hex') } });
    });
    await runDraw();
    await page.click('#form button');
    await isShown(page, 'verdict', '추첨이 공개된 값과 다릅니다');
    await isShown(page, 'checks', '공개된 시드가 커밋먼트와 일치하지 않습니다');
  });
});
