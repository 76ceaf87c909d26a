/**
 * Pictures of `/design` in each mode, compared with stored ones. Fonts differ between machines, so letters have no size
 * here: what is compared is colours, borders, spacing and shapes. To renew the pictures after a wanted change:
 * `UPDATE_PICTURES=1 npx vitest run test/pages/design.test.ts`; then look at them.
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
const WITHOUT_LETTERS = `body * { font-size: 0 !important; line-height: 0 !important }
  .banner::before { color: transparent !important; font-size: 14px !important }
  select { appearance: none }`;
/** Of 255, in one channel: below it, two pixels count as equal. */
const SAME_COLOUR = 16;
const MOST_DIFFERENT = 0.002;

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
    for (const mode of ['light', 'dark', 'contrast']) {
      const picture = await page.locator(`#${mode}`).screenshot({ animations: 'disabled' });
      const file = new URL(`design-${mode}.webp`, folder);
      if (process.env.UPDATE_PICTURES === '1') {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, await sharp(picture).webp({ lossless: true }).toBuffer());
      }
      expect({ mode, different: await compare(picture, readFileSync(file)) }).toEqual({
        mode,
        different: expect.toSatisfy((share: number) => share <= MOST_DIFFERENT),
      });
    }
  });

  it('has no accessibility violations', async () => {
    expect(await axeViolations(await open())).toEqual([]);
  });
});

/** The share of pixels that differ; 1 if the sizes do. */
async function compare(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((image) => sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  if (a!.info.width !== b!.info.width || a!.info.height !== b!.info.height) return 1;
  let different = 0;
  for (let at = 0; at < a!.data.length; at += 3) {
    const isOther = [0, 1, 2].some(
      (channel) => Math.abs(a!.data[at + channel]! - b!.data[at + channel]!) > SAME_COLOUR,
    );
    if (isOther) different += 1;
  }
  return different / (a!.info.width * a!.info.height);
}
