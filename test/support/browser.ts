/** A real Chromium for page tests: one per suite, a new context per test. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe, it, onTestFinished } from 'vitest';
import { findChromium } from '../../scripts/find-chromium.mjs';

const HOW_TO_ENABLE = 'needs chromium in the PATH (Debian: apt-get install chromium)';
// The sandbox does not work as root. The other flags prevent background network traffic.
const FLAGS = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'];

let program: string | undefined | null = null;

/** A suite that needs a browser. Without one it is skipped with a reason; in CI it fails. */
export function describeWithBrowser(name: string, suite: () => void): void {
  if (findProgram() !== undefined) describe(name, suite);
  else if (process.env.CI === 'true') describe(name, failWithoutBrowser);
  else describe.skip(`${name}: ${HOW_TO_ENABLE}`, suite);
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findProgram()!, args: FLAGS });
}

/** A new page, closed after the test. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context: BrowserContext = await browser.newContext(options);
  onTestFinished(() => context.close());
  return context.newPage();
}

function findProgram(): string | undefined {
  if (program === null) program = findChromium();
  return program;
}

function failWithoutBrowser(): void {
  it('has a browser to run on', () => {
    throw new Error(HOW_TO_ENABLE);
  });
}
