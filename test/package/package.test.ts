/** The tarball of `npm pack`, in an empty project. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { blocksOfKind, root } from '../docs/blocks.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { type Installed, listNodes, packAndInstall, withNode } from './installed.ts';

let installed: Installed;

beforeAll(() => {
  installed = packAndInstall();
}, 600_000);
afterAll(() => rmSync(installed.folder, { recursive: true, force: true, maxRetries: 10 }));

const pathOf = (path: string) => join(installed.project, 'node_modules/fairline', path);
const read = (path: string) => readFileSync(pathOf(path), 'utf8');
const manifest = () => JSON.parse(read('package.json'));

/** A warning about the settings of npm on this machine is none about the package. */
const warningsIn = (output: string) =>
  output.split('\n').filter((line) => /warn|deprecated|vulnerab/i.test(line) && !line.includes('Unknown'));

describe('the tarball', () => {
  it('has the program, its docs and nothing else', () => {
    const tops = new Set(
      installed.files.map((path) =>
        path
          .split('/')
          .slice(0, 2)
          .join('/')
          .replace(/^docs\/.*/, 'docs'),
      ),
    );
    expect([...tops].sort()).toEqual([
      ...['CHANGELOG.md', 'LICENSE', 'README.ko.md', 'README.md'],
      ...['dist/client', 'dist/lambda', 'dist/openapi.json', 'dist/pages', 'dist/pglite-template.tar.gz', 'dist/src'],
      ...['docs', 'package.json'],
    ]);
    expect(installed.files.filter((path) => /\.test\.|(^|\/)(test|bench)\/|\.fairline-|\.env/.test(path))).toEqual([]);
  });

  it('has every file that the manifest names, and runs nothing when it is installed', () => {
    const { exports, bin, scripts, ...others } = manifest();
    const named = Object.values(exports).flatMap((one) =>
      typeof one === 'string' ? one : Object.values(one as object),
    );
    expect([...named, ...Object.values(bin as object)].filter((path) => !existsSync(pathOf(path)))).toEqual([]);
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
    // They have no effect for users of a package.
    expect(
      Object.keys(others).filter((name) => ['private', 'overrides', 'optionalDependencies'].includes(name)),
    ).toEqual([]);
    // A fresh clone has nothing to pack.
    expect(scripts.prepack).toBe('node scripts/build.mjs');
  });

  it('has no source map that points to a file that is not there', () => {
    const maps = installed.files.filter((path) => path.endsWith('.map'));
    expect(maps.length).toBeGreaterThan(100);
    expect(maps.filter((path) => JSON.parse(read(path)).sourcesContent?.[0] === undefined)).toEqual([]);
    const missing = installed.files
      .filter((path) => path.endsWith('.js'))
      .flatMap((path) =>
        [...read(path).matchAll(/^\/\/# sourceMappingURL=(.+)$/gm)].map(([, map]) => join(dirname(path), map!)),
      )
      .filter((path) => !existsSync(pathOf(path)));
    expect(missing).toEqual([]);
  });

  it('installs without warnings, also with engine-strict', () => {
    expect(installed.output).toMatch(/added \d+ packages/);
    expect(warningsIn(installed.output)).toEqual([]);
  });
});

describe.each(listNodes())('on Node $name', ({ path: node }) => {
  const itHere = node === undefined ? it.skip : it;

  itHere('every dependency accepts this version', () => {
    const args = ['install', '--dry-run', '--engine-strict', '--prefer-offline', '--no-audit', '--no-update-notifier'];
    const { status, stdout, stderr } = spawnSync('npm', args, {
      ...{ cwd: installed.project, encoding: 'utf8' },
      env: withNode(node!),
    });
    expect(status, stderr).toBe(0);
    expect(warningsIn(stdout + stderr)).toEqual([]);
  });

  itHere('npx fairline start serves', async () => {
    // A group of its own: npx starts a shell, which starts the program.
    const child = spawn('npx', ['fairline', 'start'], {
      ...{ cwd: installed.project, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
      env: { ...withNode(node!), PORT: '0', DATA_DIR: tempFolder() },
    });
    const exited = once(child, 'exit');
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
      await exited;
    });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk));
    const url = await until('the program to listen', () => {
      if (child.exitCode !== null) throw new Error(output);
      return /listens on (http\S+)/.exec(output)?.[1];
    });
    const joined = await fetch(`${url}/api/queue/check/demo-concert`, { method: 'POST' });
    expect(await joined.json()).toMatchObject({ status: 'active' });
    expect((await fetch(`${url}/queue/demo-concert`)).status).toBe(200);
    expect(output).not.toMatch(/warning/i);
  });

  itHere('the test of a shop passes', () => {
    for (const { text } of blocksOfKind('package')) {
      writeFileSync(join(installed.project, /^\/\/ (\S+)/.exec(text)![1]!), text);
    }
    const { status, stdout, stderr } = spawnSync(node!, ['--test', 'shop.test.js'], {
      ...{ cwd: installed.project, encoding: 'utf8', timeout: 50_000 },
      env: withNode(node!),
    });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/pass 1\n/);
  });
});

describe('the types', () => {
  const program = `
import { createFairline, type Fairline } from 'fairline';
import { createClient, FairlineError, type PollAnswer, type StreamEvent } from 'fairline/client';
import { createFetchHandler, createMiddleware } from 'fairline/gate';

export async function use(): Promise<StreamEvent[]> {
  const fairline: Fairline = await createFairline({ settings: { QUEUE_THRESHOLD: '2' } });
  await fairline.putRoom('sale', { maxActive: 2 });
  // @ts-expect-error: a limit is a number.
  await fairline.putRoom('sale', { maxActive: 'two' });
  createMiddleware({ ...fairline.gate });
  createFetchHandler({ ...fairline.gate, origin: 'https://shop.example' });
  const client = createClient({ baseUrl: fairline.url });
  const answer: PollAnswer = await client.joinQueue({ eventId: 'sale' });
  // @ts-expect-error: the event is missing.
  await client.joinQueue({});
  // @ts-expect-error: no such field.
  answer.nothing;
  for await (const place of client.poll('sale')) place.position?.toFixed();
  const events: StreamEvent[] = [];
  for await (const event of client.stream('sale')) {
    if (event.event === 'admitted') events.push(event, { ...event, data: { ...event.data, entryToken: 'x' } });
    // @ts-expect-error: no such event.
    if (event.event === 'other') break;
  }
  const code: string = new FairlineError(new Response(), {}).code;
  return code === '' ? [] : events;
}
`;
  const page = `
import { createClient } from 'fairline/client';
export const position = (await createClient().getQueueStatus({ eventId: 'sale' })).position;
`;

  const lib = ['es2023', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'];
  const strict = { target: 'es2023', lib, strict: true, exactOptionalPropertyTypes: true, noEmit: true };

  it.each([
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('resolve with the module %s and the resolution %s', (module, moduleResolution) => {
    const node = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
    const options = { ...strict, ...node, module, moduleResolution, skipLibCheck: true };
    expect(compile('program.ts', program, options)).toBe('');
  });

  it('of the client need no types of Node, and have no error themselves', () => {
    const options = { ...strict, module: 'esnext', moduleResolution: 'bundler', types: [], skipLibCheck: false };
    expect(compile('page.ts', page, options)).toBe('');
  });

  /** Returns what the compiler says. */
  function compile(file: string, text: string, compilerOptions: object): string {
    writeFileSync(join(installed.project, file), text);
    writeFileSync(join(installed.project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [tsc, '-p', installed.project], { encoding: 'utf8' }).stdout;
  }
});

describe('fairline/client', () => {
  it('imports nothing but itself, so it runs in browsers and edge runtimes', () => {
    const seen = new Set<string>();
    const outside: string[] = [];
    const visit = (path: string) => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const [, name] of readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
        if (name!.startsWith('.')) visit(join(dirname(path), name!));
        else outside.push(`${path}: ${name}`);
      }
    };
    visit(createRequire(join(installed.project, 'package.json')).resolve('fairline/client'));
    expect(outside).toEqual([]);
    expect(seen.size).toBeGreaterThan(5);
    const offenders = [...seen].filter((path) =>
      /\b(process|Buffer|require)\b\s*[.(]/.test(readFileSync(path, 'utf8')),
    );
    expect(offenders).toEqual([]);
  });

  it('has a method for every operation that answers with data', () => {
    const { paths } = JSON.parse(read('dist/openapi.json')) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const routes = read('dist/client/operations.js');
    const data = Object.entries(paths).filter(([path]) => path.startsWith('/api/') && !path.endsWith('/changes'));
    const ids = data.flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId));
    expect(ids.length).toBeGreaterThan(80);
    expect(ids.filter((id) => !routes.includes(`"${id}":`))).toEqual([]);
  });
});
