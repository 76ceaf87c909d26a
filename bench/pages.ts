/** What a visitor on a slow phone feels: first paint, shifts and blocking of each page, and the map of 20,000 seats. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/context.ts';
import { startRoles } from '../src/roles.ts';
import { type BenchRow, effort, report } from './report.ts';

const RUNS = effort(5, 1);
/** A phone of the middle range on slow 4G, as Lighthouse has it. */
const CPU_RATE = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: 96_000 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const PAN_FRAMES = effort(240, 20);
const SECTIONS = Array.from({ length: 20 }, (_, index) => ({
  id: `S${index + 1}`,
  name: `Section ${index + 1}`,
  rows: 25,
  seatsPerRow: 40,
  price: 50_000 + (index % 5) * 20_000,
}));

/** Blocking is what long tasks take beyond 50 ms each; shift is the sum of all shifts. */
const OBSERVE = `
  window.seen = { shift: 0, blocking: 0 };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.seen.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.seen.blocking += Math.max(0, duration - 50);
  }).observe({ type: 'longtask', buffered: true });`;

interface Paint {
  firstPaint: number;
  shift: number;
  blocking: number;
  /** Until what the page is for is on it. */
  ready: number;
}

const found: BenchRow[] = [];
const { url, context, stop } = await startSite();
const executablePath = '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
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
  const pages: [name: string, path: string, ready: string][] = [
    ['/vwr/{id}', '/vwr/before', '#ahead'],
    ['/queue/{id}', '/queue/waiting', '#ahead'],
    ['/', '/', '.card'],
    ['/events/{id}', '/events/show', '.facts'],
  ];
  console.log(`first visit, phone, CPU ${CPU_RATE} times slower, 1.6 Mbit/s, 150 ms; medians of ${RUNS}`);
  for (const [name, path, ready] of pages) {
    const paints: Paint[] = [];
    for (let run = 0; run < RUNS; run += 1) paints.push(await visit(chrome, path, ready));
    const of = (key: keyof Paint) => median(paints.map((paint) => paint[key]));
    const times = `first paint ${of('firstPaint').toFixed(0)} ms, ready ${of('ready').toFixed(0)} ms`;
    const more = { 'ready ms': Math.round(of('ready')), 'blocking ms': Math.round(of('blocking')), shift: of('shift') };
    found.push({ what: `first paint of ${name}, a slow phone`, unit: 'ms', ours: Math.round(of('firstPaint')), more });
    console.log(`${name}: ${times}, blocking ${of('blocking').toFixed(0)} ms, shift ${of('shift').toFixed(3)}`);
  }
}

async function visit(chrome: Browser, path: string, ready: string): Promise<Paint> {
  const page = await openThrottled(chrome, PHONE);
  await page.addInitScript(OBSERVE);
  await page.goto(`${url}${path}`, { waitUntil: 'commit' });
  await page.locator(ready).first().waitFor();
  const readyAt = (await page.evaluate('performance.now()')) as number;
  const firstPaint = (await page.evaluate(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0",
  )) as number;
  const seen = (await page.evaluate('window.seen')) as { shift: number; blocking: number };
  await page.context().close();
  return { firstPaint, ready: readyAt, ...seen };
}

/** From the address to a map that answers to the finger, then frames while it is dragged, far and near. */
async function measureMap(chrome: Browser): Promise<void> {
  const page = await openThrottled(chrome, PHONE);
  await page.goto(`${url}/queue/show`);
  await page.waitForURL(/\/seats$/);
  await page.reload({ waitUntil: 'commit' });
  await page.locator('canvas').waitFor();
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  const ready = (await page.evaluate('performance.now()')) as number;
  found.push({ what: 'map of 20,000 seats, usable after', unit: 'ms', ours: Math.round(ready) });
  console.log(`map of 20,000 seats: can be used after ${ready.toFixed(0)} ms`);
  for (const zoom of ['far', 'near'] as const) {
    if (zoom === 'near') for (let i = 0; i < 6; i += 1) await page.locator('.map-buttons button').first().click();
    const frames = (await page.evaluate(pan(PAN_FRAMES))) as number[];
    const sorted = [...frames].sort((a, b) => a - b);
    const perSecond = 1000 / (frames.reduce((sum, ms) => sum + ms, 0) / frames.length);
    const slow = sorted[Math.floor(sorted.length * 0.95)]!;
    const frame = { '95 % within ms': Number(slow.toFixed(1)) };
    found.push({ what: `map dragged, ${zoom}`, unit: 'frames/s', ours: Math.round(perSecond), more: frame });
    console.log(`dragged, ${zoom}: ${perSecond.toFixed(0)} frames a second, 95 % within ${slow.toFixed(1)} ms`);
  }
  await page.context().close();
}

/** One move of the finger in each frame, and how long each frame took. */
function pan(count: number): string {
  return `(async () => {
    const canvas = document.querySelector('canvas');
    const tell = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, {
      pointerId: 1, bubbles: true, clientX: x + canvas.getBoundingClientRect().x, clientY: y + canvas.getBoundingClientRect().y,
    }));
    canvas.setPointerCapture = () => {};
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const times = [];
    tell('pointerdown', 200, 150);
    let last = await frame();
    for (let i = 0; i < ${count}; i += 1) {
      tell('pointermove', 200 + 120 * Math.sin(i / 15), 150 + 90 * Math.cos(i / 15));
      const now = await frame();
      times.push(now - last);
      last = now;
    }
    tell('pointerup', 0, 0);
    return times;
  })()`;
}

/** From the operator's change to the words on the page, with the interval of a real sale. */
async function measurePause(chrome: Browser): Promise<void> {
  const page = await (await chrome.newContext({ ...PHONE, locale: 'en-GB' })).newPage();
  await page.goto(`${url}/queue/waiting`);
  await page.locator('#ahead').waitFor();
  const times: number[] = [];
  for (let run = 0; run < 2 * RUNS; run += 1) {
    const state = run % 2 === 0 ? 'paused' : 'open';
    const at = performance.now();
    await context.store.putRoom('waiting', { state });
    await page.locator('#say', { hasText: state === 'paused' ? 'Nobody is being let in' : 'automatically' }).waitFor();
    times.push(performance.now() - at);
  }
  const more = { 'at most ms': Math.round(Math.max(...times)) };
  found.push({ what: 'from an operator’s pause to the page', unit: 'ms', ours: Math.round(median(times)), more });
  console.log(
    `an operator's pause is on the page after ${median(times).toFixed(0)} ms, ${Math.max(...times).toFixed(0)} at most`,
  );
}

async function openThrottled(chrome: Browser, options: typeof PHONE): Promise<Page> {
  const page = await (await chrome.newContext({ ...options, locale: 'en-GB' })).newPage();
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE });
  return page;
}

/** The whole program on embedded stores, with something to wait for and something to buy. */
async function startSite() {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairline-bench-'));
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: 'off',
    LIMIT_GUEST_JOIN_PER_IP: '0',
    LIMIT_VWR_ASSIGN_PER_IP: '0',
    VWR_BATCH_SIZE: '1',
    VWR_CYCLE_MS: '3600000',
  });
  const stopping = new AbortController();
  const created = await createContext({
    config,
    version: 'bench',
    log: pino({ level: 'silent' }),
    stopping: stopping.signal,
  });
  const { store, edge, shop } = created;
  await store.putRoom('waiting', { maxActive: 1 });
  for (let i = 0; i < 20; i += 1) await store.join('waiting', `user-${i}`);
  await store.putRoom('before', {});
  await edge.switching.activate('before');
  await store.putRoom('show', {});
  await shop!.events.putLayout('show', { name: 'Hall', sections: SECTIONS, standing: [] });
  await shop!.events.putEvent('show', { title: 'Show', startsAt: '2100-01-01T10:00:00Z' });
  await shop!.events.generateSeats('show', 'show');
  await shop!.events.openEvent('show');
  const app = await buildApp(created);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const stopRoles = await startRoles(created);
  return {
    url: address,
    context: created,
    async stop() {
      stopping.abort();
      await app.close();
      await stopRoles();
      await created.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
