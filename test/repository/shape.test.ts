/** The repository checks itself: what may import what, and where things may stand. */
import { describe, expect, it } from 'vitest';
import { errorKinds } from '../../src/errors.ts';
import { readSources, type Source } from './sources.ts';

const sources = readSources('src');
const topLevel = (path: string) => /^src\/[^/]+\.ts$/.test(path);
const serviceOf = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1];
const isStore = (path: string) => /^src\/(?!platform\/)[^/]+\/(memory|redis|postgres|dynamodb|kafka)\//.test(path);

/** The files that decide and compute, and do nothing else. */
const pureLine =
  /^src\/line\/(rules\/.*|admission-history|answer-fields|claim-answer|draw|draw-settings|draw-state|entry-pass|estimate|estimate-hold|lanes|line|number-set|pace|poll-answer|poll-schedule|room-settings|ruler|sort-in-slices|stock|waiting-order)\.ts$/;
const pureGate = /^src\/gate\/(active-events|decide|match-rule|matrix|refusal-answer|request-target|rules)\.ts$/;
const pureEdge = /^src\/edge\/(rules\/.*|counters|vwr-pass)\.ts$/;
const pureShop = /^src\/(payments\/transitions|shop\/rules\/.*)\.ts$/;
const pureRecords = /^src\/(records\/(record|topics|dead-letter|kafka-config)|stats\/conversion)\.ts$/;
const purePages =
  /^src\/pages\/(texts\/.*|theme\/.*|shared\/format|shop\/seat-map\/(camera|hall|seat-states)|waiting\/(view|edge-view)|admin\/(chart-path|history|layout-blocks|setting-fact|setting-groups|setting-input|shown|wire))\.ts$/;
const pureOperations = /^src\/operations\/(alarms|room-summary|sample|series)\.ts$/;
const pureOthers = [
  ...['audit-entries', 'email', 'same-origin', 'visitor'].map((name) => `src/accounts/${name}.ts`),
  'src/errors.ts',
  'src/platform/cookies.ts',
];
const purePatterns = [pureLine, pureGate, pureEdge, pureShop, pureRecords, purePages, pureOperations];
const isPure = (path: string) => purePatterns.some((pattern) => pattern.test(path)) || pureOthers.includes(path);

function offenders(isOffence: (source: Source, imported: string) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports.filter((imported) => isOffence(source, imported)).map((imported) => `${source.path} -> ${imported}`),
  );
}

describe('the direction of imports', () => {
  it('what runs in browsers imports nothing of the server but what is pure', () => {
    const isClient = (path: string) => /^src\/pages\/(admin|waiting|shop|shared)\//.test(path);
    const isAllowed = (imported: string) =>
      isClient(imported) || isPure(imported) || imported.endsWith('.css') || /^preact(\/|$)/.test(imported);
    expect(offenders(({ path }, imported) => isClient(path) && !isAllowed(imported))).toEqual([]);
  });

  it('platform knows nothing of the product', () => {
    const isOurs = (path: string) => path.startsWith('src/') && !path.startsWith('src/platform/');
    expect(offenders(({ path }, imported) => path.startsWith('src/platform/') && isOurs(imported))).toEqual([]);
  });

  it('rules touch neither the machine nor a store nor the web', () => {
    const isAllowed = (imported: string) =>
      isPure(imported) ||
      imported === 'typebox' ||
      imported === 'typebox/compile' ||
      // Hashing is arithmetic, not the machine.
      imported === 'node:crypto' ||
      imported === 'src/platform/deadlines.ts' ||
      imported === 'src/line/line-store.ts' ||
      imported === 'src/records/record-log.ts';
    expect(offenders(({ path }, imported) => isPure(path) && !isAllowed(imported))).toEqual([]);
  });

  it('reports are made of what they report, and touch nothing', () => {
    const isAllowed = (imported: string) =>
      imported.startsWith('src/report/') ||
      imported.startsWith('src/simulate/') ||
      imported === 'src/rehearse/verdict.ts';
    expect(offenders(({ path }, imported) => path.startsWith('src/report/') && !isAllowed(imported))).toEqual([]);
  });

  it('simulated sales are made of rules alone', () => {
    const isAllowed = (imported: string) =>
      imported.startsWith('src/simulate/') || isPure(imported) || imported === 'src/platform/deadlines.ts';
    expect(offenders(({ path }, imported) => path.startsWith('src/simulate/') && !isAllowed(imported))).toEqual([]);
  });

  it('only the composition root picks a store', () => {
    const composition = [
      'embedded-stores',
      'redis-stores',
      'dynamodb-stores',
      'shop-stores',
      'records-stores',
      'notices-stores',
      'account-stores',
      'migrations',
    ].map((name) => `src/${name}.ts`);
    const isOwn = (path: string, imported: string) => isStore(path) && serviceOf(path) === serviceOf(imported);
    expect(
      offenders(({ path }, imported) => isStore(imported) && !composition.includes(path) && !isOwn(path, imported)),
    ).toEqual([]);
  });

  it('services know errors and configuration types, but neither what puts them together nor the command line', () => {
    const isService = (path: string) => !['commands', undefined].includes(serviceOf(path));
    const isComposition = (imported: string) =>
      (topLevel(imported) && imported !== 'src/errors.ts') || serviceOf(imported) === 'commands';
    expect(offenders(({ path }, imported) => isService(path) && isComposition(imported))).toEqual([]);
  });

  it('has no cycles', () => {
    const importsOf = new Map(
      sources.map(({ path, imports }) => [path, imports.filter((name) => name.startsWith('src/'))]),
    );
    const done = new Set<string>();
    const visit = (path: string, trail: string[]): string | undefined => {
      if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path].join(' -> ');
      if (done.has(path)) return undefined;
      for (const imported of importsOf.get(path) ?? []) {
        const cycle = visit(imported, [...trail, path]);
        if (cycle !== undefined) return cycle;
      }
      done.add(path);
      return undefined;
    };
    expect(sources.map(({ path }) => visit(path, [])).find((cycle) => cycle !== undefined)).toBeUndefined();
  });
});

describe('the sources', () => {
  it('load OpenTelemetry only where it is configured', () => {
    const maker = 'src/platform/tracing/open-telemetry.ts';
    expect(offenders(({ path }, imported) => imported.startsWith('@opentelemetry/') && path !== maker)).toEqual([]);
    const loaders = sources.filter(({ imports }) => imports.includes(maker));
    expect(loaders.map(({ path }) => path)).toEqual(['src/open-tracing.ts']);
    expect(loaders[0]?.text).toContain("await import('./platform/tracing/open-telemetry.ts')");
  });

  it('read the environment in one place only', () => {
    const readers = sources.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
    expect(readers).toEqual(['src/config.ts']);
  });

  it('use every error that is listed, so that the reference lists nothing that cannot happen', () => {
    const everything = sources
      .filter(({ path }) => path !== 'src/errors.ts')
      .map(({ text }) => text)
      .join('\n');
    expect(Object.keys(errorKinds).filter((code) => !everything.includes(`'${code}'`))).toEqual([]);
  });

  it('have no barrels, and no file that has become a meeting point', () => {
    expect(sources.filter(({ path }) => path.endsWith('/index.ts')).map(({ path }) => path)).toEqual([]);
    expect(sources.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path)).toEqual([]);
  });
});
