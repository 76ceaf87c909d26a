/** Emulates Lighthouse's mid-range phone on slow 4G, and measures how a page loads. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export const CPU_RATE = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: 96_000 };
const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
  locale: 'en-GB',
};

/** Blocking time is the part of long tasks beyond 50 ms; shift is the sum of all layout shifts. */
const OBSERVE = `
  window.seen = { shift: 0, blocking: 0, largestPaint: 0 };
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) window.seen.shift += value; });
  observe('longtask', ({ duration }) => { window.seen.blocking += Math.max(0, duration - 50); });
  observe('largest-contentful-paint', ({ startTime }) => { window.seen.largestPaint = startTime; });`;

export interface Visit {
  /** Compressed bytes of all responses until ready, headers included. */
  bytes: number;
  requests: number;
  firstPaint: number;
  largestPaint: number;
  shift: number;
  blocking: number;
  /** Time until the main content is visible, in ms. */
  ready: number;
}

export interface VisitOptions {
  url: string;
  /** Selector of the main content. */
  ready: string;
  storageState?: BrowserContextOptions['storageState'];
}

/** Loads a page with an empty cache. */
export async function visit(browser: Browser, { url, ready, storageState }: VisitOptions): Promise<Visit> {
  const page = await openPhone(browser, storageState);
  const traffic = await countTraffic(page);
  await page.addInitScript(OBSERVE);
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(ready).first().waitFor();
  const readyAt = (await page.evaluate('performance.now()')) as number;
  // Paints and layout shifts of the main content are reported in later frames.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300)))');
  const firstPaint = (await page.evaluate(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0",
  )) as number;
  const seen = (await page.evaluate('window.seen')) as Pick<Visit, 'shift' | 'blocking' | 'largestPaint'>;
  const { bytes, requests } = traffic();
  await page.context().close();
  return { bytes, requests, firstPaint, ready: readyAt, ...seen };
}

export async function openPhone(browser: Browser, storageState?: BrowserContextOptions['storageState']): Promise<Page> {
  const page = await (await browser.newContext({ ...PHONE, ...(storageState && { storageState }) })).newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE });
  return page;
}

/** Counts partial responses too, because a stream never finishes. */
async function countTraffic(page: Page): Promise<() => { bytes: number; requests: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const bytesOf = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, response }) =>
    bytesOf.set(requestId, response.encodedDataLength),
  );
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) =>
    bytesOf.set(requestId, (bytesOf.get(requestId) ?? 0) + encodedDataLength),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    bytesOf.set(requestId, encodedDataLength),
  );
  return () => ({ bytes: [...bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0), requests: bytesOf.size });
}
