/** The docs match the program: every endpoint and every metric is documented, and every link leads somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createRefusals, measureDestinations } from '../../src/gate/proxy/refusals.ts';
import { measured } from '../../src/simulate/scale.ts';
import { createTestApp } from '../support/test-app.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('docs/reference/metrics.md', () => {
  it('lists every metric of the product, and no other', async () => {
    const { context } = await createTestApp({ QUEUE_ENTRY_TOKEN_SECRET: '', VWR_TOKEN_SECRET: '' });
    const ofGate = new Registry();
    createRefusals(ofGate, pino({ level: 'silent' }), () => 0);
    measureDestinations(ofGate, {});
    const metrics = [
      ...(await context.registry.getMetricsAsArray()),
      // Only `fairline gate` has these.
      ...(await ofGate.getMetricsAsArray()),
    ];
    const ours = metrics.map(({ name }) => name).filter((name) => name.startsWith('fairline_'));
    const named = new Set(read('docs/reference/metrics.md').match(/fairline_[a-z_]+/g));
    expect([...named].sort()).toEqual(ours.sort());
  });
});

describe('docs/reference/endpoints.md', () => {
  it('lists every endpoint', async () => {
    const { app } = await createTestApp();
    await app.ready();
    const paths = Object.keys(app.swagger().paths ?? {}).filter((path) => !path.startsWith('/api/v1/'));
    const endpoints = read('docs/reference/endpoints.md');
    expect(paths.filter((path) => !endpoints.includes(path))).toEqual([]);
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
  it('names npm start and npm test on its first screen', () => {
    const firstScreen = read('README.md').split('\n').slice(0, 30).join('\n');
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

describe('links between pages', () => {
  const pages = [
    ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'deploy/README.md'],
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => `docs/${path}`),
  ];

  it.each(pages)('lead to a file and a heading that exist: %s', (page) => {
    const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const broken = links.filter((link) => !/^(https?|mailto):/.test(link) && !leadsSomewhere(page, link));
    expect(broken).toEqual([]);
  });

  it.each(pages.filter((page) => page !== 'CHANGELOG.md'))('name files that exist: %s', (page) => {
    const named = [...read(page).matchAll(/`((?:src|test|scripts|deploy|bench|lambda|docs)\/[\w./-]+)`/g)];
    expect(named.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('are found', () => {
    expect(leadsSomewhere('README.md', 'docs/README.md#guides')).toBe(true);
    expect(leadsSomewhere('README.md', 'docs/README.md#no-such-heading')).toBe(false);
    expect(leadsSomewhere('docs/README.md', 'no-such-page.md')).toBe(false);
  });

  function leadsSomewhere(page: string, link: string): boolean {
    const [file = '', heading] = link.split('#');
    const path = file === '' ? page : normalize(join(dirname(page), file));
    if (!existsSync(join(root, path))) return false;
    return heading === undefined || headingsOf(path).includes(decodeURIComponent(heading));
  }

  /** The ids that GitHub gives to headings. */
  function headingsOf(path: string): string[] {
    return [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
  }

  const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '');
});
