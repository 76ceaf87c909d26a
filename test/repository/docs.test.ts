/** The docs say what the program does: each address and each metric is named there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measured } from '../../src/simulate/scale.ts';
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

describe('docs/explanation/scale.md', () => {
  it('goes by what docs/explanation/benchmarks.md says was measured', () => {
    const benchmarks = readFileSync(join(root, 'docs/explanation/benchmarks.md'), 'utf8');
    const { joinsPerSecond, pollsPerSecond, redisJoinsPerSecond, redisCommandsPerPoll, redisBytesPerWaiter } = measured;
    const rows = [
      `| join | ${joinsPerSecond.toLocaleString('en')} |`,
      `| status poll | ${pollsPerSecond.toLocaleString('en')} |`,
      `| joins through the store alone, at a million | ${redisJoinsPerSecond.toLocaleString('en')} /s |`,
      `| Redis commands per 10,000 polls | ${redisCommandsPerPoll * 10_000} |`,
      `| Redis memory per waiter | ${redisBytesPerWaiter} bytes |`,
      `| holds of one seat a second | ${measured.holdsPerSecond.toLocaleString('en')} |`,
    ];
    expect(rows.filter((row) => !benchmarks.includes(row))).toEqual([]);
  });
});

describe('the README', () => {
  it('names both commands on its first screen', () => {
    const firstScreen = readFileSync(join(root, 'README.md'), 'utf8').split('\n').slice(0, 30).join('\n');
    expect(firstScreen).toMatch(/npm start[\s\S]*npm test/);
  });
});

describe('docs/reference/api.md', () => {
  it('has every address once, with what it is for', async () => {
    const { app } = await createTestApp();
    await app.ready();
    const page = readFileSync(join(root, 'docs/reference/api.md'), 'utf8');
    const titles = Object.entries(app.swagger().paths ?? {})
      .filter(([path]) => !/^\/(api\/v1|vwr-api)\//.test(path))
      .flatMap(([path, methods]) =>
        Object.keys(methods as object).map((method) => `### ${method.toUpperCase()} ${path}\n`),
      );
    expect(titles.length).toBeGreaterThan(60);
    expect(titles.filter((title) => page.split(title).length !== 2)).toEqual([]);
    expect(page.match(/^### .*\n\n\n/gm)).toBeNull();
  });
});
