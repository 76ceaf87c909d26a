/** The structure of the source tree: which folder may import which, and where things belong. */
import { describe, expect, it } from 'vitest';
import { errorKinds } from '../../src/http/errors.ts';
import { findFolderCycles } from './folder-cycles.ts';
import { readSources, type Source } from './sources.ts';

const sources = readSources('src');
const folderOf = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1];
const isStore = (path: string) => /^src\/(?!platform\/).*\/(memory|redis|postgres|dynamodb|kafka)\//.test(path);
const isBrowser = (path: string) =>
  /^src\/pages\/(admin|embed|waiting|shop)\//.test(path) || path === 'src/pages/design/browser.ts';

/** Code that only computes: no I/O, no store, no web. */
const purePatterns = [
  /^src\/line\/(model|rules|estimate)\/.*\.ts$/,
  /^src\/line\/draw\/(draw|draw-settings|sort-in-slices)\.ts$/,
  /^src\/line\/http\/(claim-answer|lot-source-answer|poll-answer)\.ts$/,
  /^src\/line\/tokens\/entry-pass\.ts$/,
  /^src\/tier1\/(model|rules)\/.*\.ts$/,
  /^src\/tier1\/tokens\/vwr-pass\.ts$/,
  /^src\/gate\/access\/(live-entries|http\/access-answer)\.ts$/,
  /^src\/gate\/(decision\/.*|lookups\/active-events|upstream-headers)\.ts$/,
  /^src\/(payments\/transitions|shop\/rules\/.*|stats\/figures)\.ts$/,
  /^src\/(accounts|line|shop|payments|transfers|memberships|stats)\/http\/(?!to-)[\w-]+-answer\.ts$/,
  /^src\/(records\/(record|topics|dead-letter|kafka-config)|stats\/conversion)\.ts$/,
  /^src\/pages\/(texts\/.*|design\/(colours|footer|logo|organiser|specimens|theme)|shop\/(shared\/(poster-url|wire)|seats\/seat-map\/(camera|hall|seat-states|section-shape))|waiting\/(calendar-file|page-view|proof\/(find-proof|sha256)|line\/line-view|tier1\/tier1-view))\.ts$/,
  /^src\/pages\/admin\/(api\/(history|setting-fact|wire)|charts\/chart-path|controls\/(local-time|show-values|time-zones|zone-time)|events\/(layouts\/(history|layout-edits|layout-geometry)|wizard\/wizard-steps)|rooms\/settings\/setting-(groups|input))\.ts$/,
  /^src\/operations\/(alarms|health-summary|room-summary|room-sample|sample-window|spans)\.ts$/,
  /^src\/(identity\/(roles\/.*|audit-chain|audit-entries|identity-price|totp|visitor)|accounts\/rules\/.*|http\/(errors|field-problem|operator-errors|same-origin|translation|wanted-page))\.ts$/,
  /^src\/compat\/.*\.ts$/,
  /^src\/platform\/(collections\/(deadline-heap|recent-map)|http-server\/cookies|email|jwt\/token-form|redact|tls\/tls-config)\.ts$/,
  /^src\/signing-keys\/token-kinds\.ts$/,
];
const isPure = (path: string) => purePatterns.some((pattern) => pattern.test(path));

function offenders(isOffence: (source: Source, imported: string) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports.filter((imported) => isOffence(source, imported)).map((imported) => `${source.path} -> ${imported}`),
  );
}

describe('imports', () => {
  it('form no cycle between folders, at any level', () => {
    expect(findFolderCycles(sources)).toEqual([]);
  });

  it('form no cycle between files', () => {
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

  it('of browser code reach only browser code and pure code', () => {
    const isAllowed = (imported: string) =>
      isBrowser(imported) || isPure(imported) || imported.endsWith('.css') || /^preact(\/|$)/.test(imported);
    expect(offenders(({ path }, imported) => isBrowser(path) && !isAllowed(imported))).toEqual([]);
  });

  it('of platform/ reach only platform/', () => {
    const isOurs = (path: string) => path.startsWith('src/') && !path.startsWith('src/platform/');
    expect(offenders(({ path }, imported) => path.startsWith('src/platform/') && isOurs(imported))).toEqual([]);
  });

  it('of http/ reach only http/ and platform/', () => {
    const isAllowed = (imported: string) => /^src\/(http|platform)\//.test(imported) || !imported.startsWith('src/');
    expect(offenders(({ path }, imported) => folderOf(path) === 'http' && !isAllowed(imported))).toEqual([]);
  });

  it('of pure code reach only pure code', () => {
    const isAllowed = (imported: string) =>
      isPure(imported) ||
      imported === 'typebox' ||
      imported === 'typebox/compile' ||
      // Hashing is computation, not I/O.
      imported === 'node:crypto' ||
      imported === 'src/line/store/rooms.ts' ||
      imported === 'src/records/record-log.ts';
    expect(offenders(({ path }, imported) => isPure(path) && !isAllowed(imported))).toEqual([]);
  });

  it('of a system in compat/ reach only itself, translations and wire types, and nothing imports it', () => {
    const systemOf = (path: string) => /^src\/compat\/[^/]+\//.exec(path)?.[0];
    const isAllowed = (path: string, imported: string) =>
      imported === 'src/http/translation.ts' ||
      // The types of the endpoints that a translation asks.
      /\/http\/[\w-]+-answer\.ts$/.test(imported) ||
      // Ids are made of hashes.
      imported === 'node:crypto' ||
      systemOf(imported) === systemOf(path);
    expect(offenders(({ path }, imported) => systemOf(path) !== undefined && !isAllowed(path, imported))).toEqual([]);
    expect(offenders(({ path }, imported) => systemOf(imported) !== undefined && systemOf(path) === undefined)).toEqual(
      [],
    );
  });

  it('of report/ reach only report/, simulate/ and the verdict of a rehearsal', () => {
    const isAllowed = (imported: string) =>
      imported.startsWith('src/report/') ||
      imported.startsWith('src/simulate/') ||
      imported === 'src/rehearse/verdict.ts';
    expect(offenders(({ path }, imported) => path.startsWith('src/report/') && !isAllowed(imported))).toEqual([]);
  });

  it('of simulate/ reach only simulate/ and pure code', () => {
    const isAllowed = (imported: string) => imported.startsWith('src/simulate/') || isPure(imported);
    expect(offenders(({ path }, imported) => path.startsWith('src/simulate/') && !isAllowed(imported))).toEqual([]);
  });

  it('reach a store only from compose/ and from the same store', () => {
    const isOwn = (path: string, imported: string) => isStore(path) && folderOf(path) === folderOf(imported);
    expect(
      offenders(({ path }, imported) => isStore(imported) && folderOf(path) !== 'compose' && !isOwn(path, imported)),
    ).toEqual([]);
  });

  it('reach config/, compose/ and cli/ only from there and from main.ts', () => {
    const outer = ['config', 'compose', 'cli'];
    const isOuter = (path: string) => outer.includes(folderOf(path) ?? '');
    expect(offenders(({ path }, imported) => isOuter(imported) && !isOuter(path) && path !== 'src/main.ts')).toEqual(
      [],
    );
  });
});

describe('the source tree', () => {
  it('has one file in its root', () => {
    expect(sources.filter(({ path }) => folderOf(path) === undefined).map(({ path }) => path)).toEqual(['src/main.ts']);
  });

  it('loads OpenTelemetry only when configured', () => {
    const exporter = 'src/platform/tracing/open-telemetry.ts';
    expect(offenders(({ path }, imported) => imported.startsWith('@opentelemetry/') && path !== exporter)).toEqual([]);
    const loaders = sources.filter(({ imports }) => imports.includes(exporter));
    expect(loaders.map(({ path }) => path)).toEqual(['src/compose/open-tracing.ts']);
    expect(loaders[0]?.text).toContain("await import('../platform/tracing/open-telemetry.ts')");
  });

  it('reads the environment in one file', () => {
    const readers = sources.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
    expect(readers).toEqual(['src/config/read-config.ts']);
  });

  it('uses every error code of the error table', () => {
    const everything = sources
      .filter(({ path }) => path !== 'src/http/errors.ts')
      .map(({ text }) => text)
      .join('\n');
    expect(Object.keys(errorKinds).filter((code) => !everything.includes(`'${code}'`))).toEqual([]);
  });

  it('has no barrels, and no file over 400 lines', () => {
    expect(sources.filter(({ path }) => path.endsWith('/index.ts')).map(({ path }) => path)).toEqual([]);
    expect(sources.filter(({ text }) => text.split('\n').length > 400).map(({ path }) => path)).toEqual([]);
  });
});
