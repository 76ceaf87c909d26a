/** The docs say what the program does: each address and each metric is named there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../support/test-app.ts';

const root = join(import.meta.dirname, '../..');
const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');

describe('docs/operations.md', () => {
  it('names every metric of the product, and no other', async () => {
    const { context } = await createTestApp();
    const metrics = await context.registry.getMetricsAsArray();
    const ours = metrics.map(({ name }) => name).filter((name) => name.startsWith('fairline_'));
    const named = new Set(operations.match(/fairline_[a-z_]+/g));
    expect([...named].sort()).toEqual(ours.sort());
  });

  it('names every address', async () => {
    const { app } = await createTestApp();
    await app.ready();
    const paths = Object.keys(app.swagger().paths ?? {}).filter((path) => !path.startsWith('/api/v1/'));
    expect(paths.filter((path) => !operations.includes(path))).toEqual([]);
  });
});

describe('the README', () => {
  it('names both commands on its first screen', () => {
    const firstScreen = readFileSync(join(root, 'README.md'), 'utf8').split('\n').slice(0, 30).join('\n');
    expect(firstScreen).toMatch(/npm start[\s\S]*npm test/);
  });
});
