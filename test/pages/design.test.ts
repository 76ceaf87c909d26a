/**
 * Pictures of `/design` in each mode, compared with stored ones, component by component. Fonts differ between machines, so
 * letters have no size in the pictures: what is compared is colours, borders, spacing and shapes. Size, weight and colour of
 * letters are compared as numbers. To renew both after a wanted change:
 * `UPDATE_PICTURES=1 npx vitest run test/pages/design.test.ts`; then look at the pictures.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { describeWithBrowser, openPage, startBrowser } from '../support/browser.ts';
import { runApp } from '../support/running-app.ts';
import { createTestApp } from '../support/test-app.ts';

const folder = new URL('pictures/', import.meta.url);
const modes = ['light', 'dark', 'contrast'];
const isRenewed = process.env.UPDATE_PICTURES === '1';
/** What letters would give their size has one here. */
const WITHOUT_LETTERS = `body * { font-size: 0 !important; line-height: 0 !important }
  .banner::before { color: transparent !important; font-size: 14px !important }
  .badge { min-width: 3rem; min-height: 1.5rem }
  .skeleton { height: 3rem }
  select { appearance: none }`;
/** Of 255, in one channel: below it, two pixels count as equal. A tint differs from its ground by ten. */
const SAME_COLOUR = 6;
/** Of a component: less than a line around it; more than browsers differ in smoothing its corners. */
const MOST_DIFFERENT = 0.003;

it('is not served unless it is turned on', async () => {
  const { anyone } = await createTestApp();
  expect((await anyone('GET', '/design')).statusCode).toBe(404);
});

describeWithBrowser('the design page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  async function open(): Promise<Page> {
    const { url } = await runApp({ env: { DESIGN_PAGE: 'on' } });
    const page = await openPage(browser, { viewport: { width: 1200, height: 900 }, bypassCSP: true });
    await page.goto(`${url}/design`);
    return page;
  }

  it('looks as in its stored pictures, in light, dark and high contrast', async () => {
    const page = await open();
    await page.addStyleTag({ content: WITHOUT_LETTERS });
    for (const mode of modes) {
      if (isRenewed) await store(page, mode);
      expect({ mode, different: await findDifferences(page, mode) }).toEqual({ mode, different: [] });
    }
  });

  it.each([
    ['the corners of banners', '.banner { border-radius: 0 }', 'Banners'],
    ['the border of a wrong field', '[aria-invalid=true] { border-color: var(--soft) !important }', 'Fields'],
    ['the room in buttons', 'button.main { padding-inline: 1.5rem }', 'Buttons'],
    ['the colour of a badge', '.badge.danger { background: var(--warn) }', 'Badges'],
    ['the shadow of a card', '.specimen .card { box-shadow: var(--shadow-2) }', 'Card, stat and poster'],
    ['the line below tabs', '.tabs { border-bottom-width: 3px }', 'Tabs'],
  ])('notices a change of %s', async (_what, content, component) => {
    const page = await open();
    await page.addStyleTag({ content: WITHOUT_LETTERS + content });
    expect(await findDifferences(page, 'light')).toContain(component);
  });

  it('has letters of the stored size, weight and colour', async () => {
    const page = await open();
    const file = new URL('design-letters.json', folder);
    const letters = Object.fromEntries(
      await Promise.all(modes.map(async (mode) => [mode, await lettersOf(page, mode)])),
    );
    if (isRenewed) writeFileSync(file, `${JSON.stringify(letters, undefined, 2)}\n`);
    expect(letters).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    await page.addStyleTag({ content: '.badge.danger { color: var(--warn) !important }' });
    expect(await lettersOf(page, 'light')).not.toEqual(letters.light);
  });

  it('has no accessibility violations', async () => {
    expect(await axeViolations(await open())).toEqual([]);
  });
});

const fileOf = (mode: string) => new URL(`design-${mode}.webp`, folder);
const pictureOf = (page: Page, mode: string) => page.locator(`#${mode}`).screenshot({ animations: 'disabled' });

async function store(page: Page, mode: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    fileOf(mode),
    await sharp(await pictureOf(page, mode))
      .webp({ lossless: true })
      .toBuffer(),
  );
}

/** The names of the components that look different from the stored picture. */
async function findDifferences(page: Page, mode: string): Promise<string[]> {
  const [now, stored] = await Promise.all([pictureOf(page, mode), readFileSync(fileOf(mode))].map(toPixels));
  const components = (await page.evaluate(`[...document.querySelectorAll('#${mode} .specimen')].map((node) => {
      const { top, height } = node.getBoundingClientRect();
      const from = Math.round(top - document.getElementById('${mode}').getBoundingClientRect().top);
      return { name: node.querySelector('h2').textContent, from, rows: Math.round(height) };
    })`)) as { name: string; from: number; rows: number }[];
  const bytes = now!.info.width * 3;
  return components
    .filter(({ from, rows }) => {
      const [a, b] = [now!, stored!].map(({ data }) => data.subarray(from * bytes, (from + rows) * bytes));
      return a!.length !== b!.length || differentShare(a!, b!) > MOST_DIFFERENT;
    })
    .map(({ name }) => name);
}

async function toPixels(image: Buffer | Promise<Buffer>) {
  return sharp(await image)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
}

function differentShare(a: Buffer, b: Buffer): number {
  let different = 0;
  for (let at = 0; at < a.length; at += 3) {
    if ([0, 1, 2].some((channel) => Math.abs(a[at + channel]! - b[at + channel]!) > SAME_COLOUR)) different += 1;
  }
  return different / (a.length / 3);
}

/** Each text of the mode with its size, weight and colour. */
async function lettersOf(page: Page, mode: string): Promise<string[]> {
  return (await page.evaluate(`[...document.querySelectorAll('#${mode} .specimen *')]
    .filter((node) => [...node.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE) || node.matches('input'))
    .map((node) => {
      const { fontSize, fontWeight, color } = getComputedStyle(node);
      return [node.tagName.toLowerCase(), node.className, fontSize, fontWeight, color].filter(Boolean).join(' ');
    })`)) as string[];
}
