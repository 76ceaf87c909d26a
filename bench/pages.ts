/** Page performance on a slow phone: size, paints, layout shift and blocking of each page, and a map of 20,000 seats. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { waiting } from '../src/pages/texts/en.ts';
import { drag, type Frames, zoom } from './pages-map.ts';
import { CPU_RATE, openPhone, type Visit, visit } from './pages-phone.ts';
import { startSite } from './pages-site.ts';
import { type BenchRow, effort, report } from './report.ts';

const RUNS = effort(3, 1);
const PAUSES = effort(6, 2);

if (!process.env.CHROMIUM) {
  console.log('requires chromium in the PATH (Debian: apt-get install chromium)');
  process.exit(1);
}

const found: BenchRow[] = [];
const { url, context, adminToken, stop } = await startSite();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
try {
  await measurePages(browser);
  await measureMap(browser);
  await measurePause(browser);
  report(found);
} finally {
  await browser.close();
  await stop();
}

async function measurePages(chrome: Browser): Promise<void> {
  const visitor = await holdSeats(chrome);
  const operator = await signIn(chrome);
  const pages = [
    { name: '/vwr/{id}', path: '/vwr/before', ready: '#ahead' },
    { name: '/queue/{id}', path: '/queue/waiting', ready: '#ahead' },
    { name: '/', path: '/', ready: '.card' },
    { name: '/events/{id}', path: '/events/show', ready: '.facts' },
    { name: '/events/{id}/seats', path: '/events/show/seats', ready: 'canvas', ...visitor },
    { name: '/checkout/{id}', path: visitor.checkout, ready: '.methods', ...visitor },
    { name: '/admin', path: '/admin#/rooms/show', ready: '#chart-waiting', ...operator },
  ];
  console.log(`First visit, phone, CPU ${CPU_RATE}x slower, 1.6 Mbit/s, 150 ms latency, median of ${RUNS}`);
  for (const { name, path, ...options } of pages) {
    const visits: Visit[] = [];
    for (let run = 0; run < RUNS; run += 1) visits.push(await visit(chrome, { url: `${url}${path}`, ...options }));
    const of = (key: keyof Visit) => median(visits.map((one) => one[key]));
    const ms = (key: keyof Visit) => `${of(key).toFixed(0)} ms`;
    const more = Object.fromEntries(
      (['bytes', 'largestPaint', 'ready', 'blocking'] as const).map((key) => [key, Math.round(of(key))]),
    );
    found.push({
      what: `first paint of ${name}, slow phone`,
      unit: 'ms',
      ours: Math.round(of('firstPaint')),
      more: { ...more, shift: of('shift') },
    });
    console.log(
      `${name}: ${(of('bytes') / 1024).toFixed(1)} KB in ${of('requests')} requests, first paint ${ms('firstPaint')}, ` +
        `largest ${ms('largestPaint')}, ready ${ms('ready')}, blocking ${ms('blocking')}, shift ${of('shift').toFixed(3)}`,
    );
  }
}

/** A visitor inside, with seats on hold. */
async function holdSeats(chrome: Browser) {
  const page = await (await chrome.newContext()).newPage();
  await page.goto(`${url}/queue/show`);
  await page.waitForURL(/\/seats$/);
  await page.locator('.best button[type=submit]').click();
  await page.locator('.banner.held a').first().click();
  await page.waitForURL(/\/checkout\//);
  return { checkout: new URL(page.url()).pathname, ...(await closeAndKeepState(page)) };
}

async function signIn(chrome: Browser) {
  const page = await (await chrome.newContext()).newPage();
  await page.goto(`${url}/admin`);
  await page.fill('#token', adminToken);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#sign-out');
  return closeAndKeepState(page);
}

async function closeAndKeepState(page: Page) {
  const storageState = await page.context().storageState();
  await page.context().close();
  return { storageState };
}

/** The time until the map can be used, then the frame rate while it is dragged and zoomed. */
async function measureMap(chrome: Browser): Promise<void> {
  const { storageState } = await holdSeats(chrome);
  const page = await openPhone(chrome, storageState);
  await page.goto(`${url}/events/show/seats`, { waitUntil: 'commit' });
  await page.locator('canvas').waitFor();
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  const ready = (await page.evaluate('performance.now()')) as number;
  found.push({ what: 'time to interactive, map of 20,000 seats', unit: 'ms', ours: Math.round(ready) });
  console.log(`map of 20,000 seats: interactive after ${ready.toFixed(0)} ms`);
  const addFrames = (what: string, { perSecond, slowMs }: Frames) => {
    const more = { '95 % within ms': Number(slowMs.toFixed(1)) };
    found.push({ what: `map ${what}`, unit: 'frames/s', ours: Math.round(perSecond), more });
    console.log(`${what}: ${perSecond.toFixed(0)} frames/s, 95 % within ${slowMs.toFixed(1)} ms`);
  };
  addFrames('dragged, zoomed out', await drag(page));
  addFrames('zoomed in and out', await zoom(page));
  for (let i = 0; i < 6; i += 1) await page.locator('.map-buttons button').first().click();
  addFrames('dragged, zoomed in', await drag(page));
  await page.context().close();
}

/** The time from an operator's pause until the waiting page shows it, with default intervals. */
async function measurePause(chrome: Browser): Promise<void> {
  const page = await (await chrome.newContext({ locale: 'en-GB' })).newPage();
  await page.goto(`${url}/queue/waiting`);
  await page.locator('#ahead').waitFor();
  const times: number[] = [];
  for (let run = 0; run < PAUSES; run += 1) {
    const state = run % 2 === 0 ? 'paused' : 'open';
    const at = performance.now();
    await context.line.rooms.putRoom('waiting', { state });
    await page.locator('#say', { hasText: state === 'paused' ? waiting.paused : waiting.turnComes }).waitFor();
    times.push(performance.now() - at);
  }
  const more = { 'max ms': Math.round(Math.max(...times)) };
  found.push({ what: 'operator’s pause to waiting page', unit: 'ms', ours: Math.round(median(times)), more });
  console.log(
    `operator's pause to waiting page: median ${median(times).toFixed(0)} ms, max ${Math.max(...times).toFixed(0)} ms`,
  );
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
