import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulate } from '../../src/cli/simulate.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestTerminal } from '../support/test-terminal.ts';

const small = ['--visitors', '800', '--limit', '50', '--shopping', '30', '--seats', '500', '--lang', 'en'];

async function run(...args: string[]) {
  const terminal = createTestTerminal();
  const status = await simulate.run(args, terminal);
  return { status, text: terminal.printed(), progress: terminal.failed() };
}

describe('fairline simulate', () => {
  it('prints figures, a chart and a recommendation, the same each time', async () => {
    const { status, text } = await run(...small);
    expect(status).toBe(0);
    expect(text).toMatch(/Sold out after +\d+ min/);
    expect(text).toMatch(/Line length\n.*█/s);
    expect(text).toMatch(/Recommendation\n +The limit/);
    expect((await run(...small)).text).toBe(text);
    expect((await run(...small, '--seed', '2')).text).not.toBe(text);
  });

  it('prints Korean with --lang ko', async () => {
    expect((await run(...small, '--lang', 'ko')).text).toMatch(/방문자[\s\S]*권장/);
  });

  it('prints JSON, and reads options from a plan file', async () => {
    const { sales } = JSON.parse((await run(...small, '--json')).text);
    expect(sales[0]).toMatchObject({ summary: { visitors: 800, seats: { sold: 500 } }, settings: { limit: '50' } });
    const plan = join(tempFolder(), 'plan.json');
    writeFileSync(plan, JSON.stringify({ visitors: 800, limit: 50, shopping: '30', seats: 500, change: ['1:60'] }));
    const again = JSON.parse((await run('--plan', plan, '--json')).text);
    expect(again.sales[0].summary.mostInside).toBe(60);
    const overruled = JSON.parse((await run('--plan', plan, '--change', '1:70', '--json')).text);
    expect(overruled.sales[0].summary.mostInside).toBe(70);
  });

  it('compares with other options, given inline or in a file', async () => {
    const { sales } = JSON.parse((await run(...small, '--compare', 'limit=100,shopping=fixed:20', '--json')).text);
    expect(sales.map(({ settings }: { settings: { limit: string } }) => settings.limit)).toEqual(['50', '100']);
    const other = join(tempFolder(), 'other.json');
    writeFileSync(other, '{"limit": 100, "shopping": "fixed:20"}');
    const fromFile = JSON.parse((await run(...small, '--compare', other, '--json')).text);
    expect(fromFile.sales[1]).toEqual(sales[1]);
  });

  it('reads arrivals from a file and scales them to --visitors', async () => {
    const curve = join(tempFolder(), 'last.csv');
    writeFileSync(curve, 'seconds,visitors\n0,300\n60,100\n');
    const visitors = async (...args: string[]) =>
      JSON.parse((await run('--arrivals', curve, '--json', ...args)).text).sales[0].summary.visitors;
    expect(await visitors()).toBe(400);
    expect(await visitors('--visitors', '1000')).toBe(1_000);
    writeFileSync(curve, '0,300\n0,100\n');
    await expect(visitors()).rejects.toThrow(`--arrivals ${curve}: line 2 ("0,100"): the time must be later`);
  });

  it('shows progress with --progress', async () => {
    expect((await run(...small)).progress).toBe('');
    expect((await run(...small, '--progress')).progress).toMatch(/^0 % .*\n10 % /);
  });

  it.each([
    [['--visitors', '0'], '--visitors 0: expected a whole number from 1'],
    [['--limit', 'many'], '--limit many: expected a whole number'],
    [['--drop-out', '120%'], '--drop-out 120%: expected a share'],
    [['--shopping', 'fixed'], '--shopping fixed: expected SECONDS'],
    [['--change', '10'], '--change 10: expected MINUTE:LIMIT'],
    [['--minutes', '5', '--change', '10:5'], 'expected a minute up to --minutes'],
    [['--arrivals', 'nobody.csv'], '--arrivals nobody.csv: cannot read the file'],
    [['--compare', 'limt=5'], '--limt: unknown option'],
    [['--compare', 'nothing.json'], '--compare nothing.json: cannot read the file'],
    [['--report', 'sale.pdf'], '--report sale.pdf: expected a file name that ends in .html'],
    [['--lang', 'fr'], '--lang fr: expected en, ko'],
  ])('refuses %j and reports what is expected', async (args, expected) => {
    await expect(run(...args)).rejects.toThrow(expected);
  });
});

describeWithBrowser('the HTML report of a simulated sale', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    ['a desk', 1200, 'light', 'wide'],
    ['a phone', 390, 'dark', 'narrow'],
  ] as const)(
    'opens on %s without errors, network requests or horizontal scrolling',
    async (_on, width, colorScheme, size) => {
      const file = join(tempFolder(), 'report.html');
      await run(...small, '--compare', 'limit=100', '--report', file);
      const page = await openPage(browser, { viewport: { width, height: 800 }, colorScheme });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => request.url().startsWith('file:') || complaints.push(request.url()));
      await page.goto(`file://${file}`);
      expect(await page.locator(`svg.chart.${size}:visible`).count()).toBe(5);
      expect(await page.locator('svg.chart:visible').count()).toBe(5);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.locator('.advice').count()).toBe(2);
      expect(complaints).toEqual([]);
      expect(readFileSync(file, 'utf8')).not.toMatch(/https?:\/\/|<script/);
    },
  );
});
