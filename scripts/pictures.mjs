/**
 * `npm run pictures [name …]`: takes screenshots of all pages and journeys, or of those named, into docs/images: on a phone
 * and on a desktop, light and dark, in Korean or English. Starts the program with a temporary DATA_DIR and a running sale.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from './find-chromium.mjs';
import { fillBuyer, holdBest, pay, takeVisitorJourney } from './picture-journey.mjs';
import { takeOperatorJourney } from './picture-operator.mjs';
import { ADMIN_TOKEN, startSale } from './picture-sale.mjs';
import { root, setUp } from './set-up.mjs';

const QUALITY = 72;
const devices = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true },
  desk: { viewport: { width: 1200, height: 800 }, deviceScaleFactor: 1 },
};
const combinations = [
  { device: 'phone', colorScheme: 'light', language: 'ko' },
  { device: 'phone', colorScheme: 'dark', language: 'en' },
  { device: 'desk', colorScheme: 'light', language: 'en' },
  { device: 'desk', colorScheme: 'dark', language: 'ko' },
];

setUp();
const sale = await startSale();
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
const folder = join(root, 'docs/images');
mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2);

/** In the order a visitor sees them; some start on the page where the previous one ended. */
const pages = {
  events: async (page) => show(page, '/', '.card'),
  event: async (page) => show(page, '/events/spring-night', '.facts'),
  vwr: async (page) => show(page, '/vwr/autumn-tour', '#ahead'),
  queue: async (page) => show(page, '/queue/winter-tour', '#time'),
  'queue-paused': async (page) => show(page, '/queue/summer-night', '.banner.paused'),
  'queue-ready': async (page) => show(page, '/queue/small-club', '#time-left'),
  seats: async (page) => {
    await page.goto(`${sale.url}/queue/spring-night`);
    await page.waitForURL(/\/seats$/);
    await page.locator('canvas').waitFor();
    await page.locator('.map-tabs button').last().click();
    await page.locator('.seat-list button:not(:disabled)').first().click();
    await page.locator('.map-tabs button').first().click();
    await page.locator('.choice li').waitFor();
  },
  'seats-list': async (page) => page.locator('.map-tabs button').last().click(),
  book: async (page) => {
    await show(page, '/events/spring-night/book', '.stepper');
    await page.locator('.stepper button').last().click();
  },
  checkout: async (page) => {
    await show(page, '/events/spring-night/seats', 'canvas');
    await holdBest(page);
    await pay(page);
  },
  ticket: async (page) => {
    await fillBuyer(page);
    await page.locator('.checkout button.main').click();
    await page.waitForURL(/\/reservations\//);
    await page.locator('.qr').first().waitFor();
  },
  offer: async (page) => {
    await show(page, '/me', '.reservations .actions button');
    await page.locator('.reservations .actions button').first().click();
    await page.locator('dialog').waitFor();
  },
  me: async (page) => {
    await page.locator('dialog [type=submit]').click();
    await page.locator('.reservations > li:first-child .badge.warning').waitFor();
  },
  transfer: async (page) => show(page, `/checkout/transfers/${sale.offer}`, '.order'),
  membership: async (page) => show(page, '/membership', '.membership .main'),
  'sign-in': async (page) => show(page, '/sign-in', '.sign-in'),
  'admin-sign-in': async (page) => show(page, '/admin', '#token'),
  'admin-rooms': async (page) => {
    await page.fill('#token', ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.locator('#rooms .card').first().waitFor();
  },
  'admin-room': async (page) => {
    await turnTo(page, '#/rooms/winter-tour', '#sales tbody tr');
    await page.locator('#chart-waiting path[d*="L"]').first().waitFor({ state: 'attached' });
  },
  'admin-stats': async (page) => turnTo(page, '#/stats', '#stats-events tbody tr'),
  'admin-events': async (page) => turnTo(page, '#/events', '#events .card'),
  'admin-event': async (page) => turnTo(page, '#/events/spring-night', '#event-form'),
  'admin-layout': async (page) => turnTo(page, '#/layouts/hall', '#preview'),
  'admin-audit': async (page) => turnTo(page, '#/audit', '#audit li'),
};

/** Strips of one journey each, in one combination. */
const journeys = {
  'journey-visitor': {
    combination: { device: 'phone', colorScheme: 'dark', language: 'ko' },
    take: takeVisitorJourney,
  },
  'journey-operator': {
    combination: { device: 'desk', colorScheme: 'light', language: 'en' },
    take: takeOperatorJourney,
  },
};

try {
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  for (const [name, { combination, take: takeJourney }] of Object.entries(journeys)) {
    if (!isWanted(name)) continue;
    const context = await openContext(combination);
    await takeJourney({ page: await context.newPage(), sale, file: join(folder, `${name}.webp`) });
    await context.close();
  }
  if (Object.keys(pages).some(isWanted)) for (const combination of combinations) await takeAll(combination);
} finally {
  await browser.close();
  await sale.stop();
}

function openContext({ device, colorScheme, language }) {
  return browser.newContext({
    ...devices[device],
    colorScheme,
    locale: language === 'ko' ? 'ko-KR' : 'en-GB',
    timezoneId: 'Asia/Seoul',
    reducedMotion: 'reduce',
    storageState: sale.visitor,
  });
}

async function takeAll(combination) {
  const { device, colorScheme, language } = combination;
  const context = await openContext(combination);
  const page = await context.newPage();
  for (const [name, go] of Object.entries(pages)) {
    await go(page);
    await page.waitForFunction(() => [...document.images].every(({ hidden, complete }) => hidden || complete));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await take(page, join(folder, `${name}-${device}-${colorScheme}-${language}.webp`));
  }
  await context.close();
}

async function show(page, path, selector) {
  await page.goto(`${sale.url}${path}`);
  await page.locator(selector).first().waitFor();
}

async function turnTo(page, hash, selector) {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.locator(selector).first().waitFor();
}

/** WebP is a third of the size of PNG, but only the DevTools protocol can produce it. */
async function take(page, path) {
  const session = await page.context().newCDPSession(page);
  const { cssContentSize, cssLayoutViewport } = await session.send('Page.getLayoutMetrics');
  // The backdrop of a dialog covers only the viewport.
  const hasDialog = await page.locator('dialog[open]').count();
  const height = hasDialog ? cssLayoutViewport.clientHeight : cssContentSize.height;
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: cssContentSize.width, height, scale: 1 },
  });
  writeFileSync(path, Buffer.from(data, 'base64'));
  await session.detach();
}
