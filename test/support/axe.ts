/** Lists the accessibility violations that axe finds on the current page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function axeViolations(page: Page): Promise<string[]> {
  // The size of targets is a criterion of WCAG 2.2 AA, which axe leaves out unless asked.
  const options = "{ rules: { 'target-size': { enabled: true } } }";
  const found =
    (await page.evaluate(`${axe}; axe.run(${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => location.pathname + location.hash + ': ' + id + ' at ' + target.join(' '))))`)) as string[];
  // Without JavaScript, reloading is the only way to see that it is your turn.
  return found.filter((text) => !text.includes('meta-refresh'));
}
