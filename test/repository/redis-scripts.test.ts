/** Conventions of the Redis stores, checked on the files: every script has a contract and a typed twin, and builds no key. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadScript } from '../../src/platform/redis/scripts.ts';

const SOURCES = join(import.meta.dirname, '../../src');
const luaFiles = filesBelow(SOURCES).filter((path) => path.endsWith('.lua'));
/** Every folder with a `scripts` folder that holds Lua, such as `line/store/redis`. */
const stores = [...new Set(luaFiles.map((path) => path.split('/scripts/')[0]!))];

describe('Lua files', () => {
  it('are in the scripts folder of a store, or in its includes', () => {
    expect(stores.length).toBeGreaterThan(1);
    expect(luaFiles.filter((path) => !/^[^.]+\/scripts\/(includes\/)?[^/]+\.lua$/.test(path))).toEqual([]);
  });
});

describe.each(stores)('%s', (store) => {
  const folder = join(SOURCES, store);
  const files = filesBelow(folder);
  const scripts = files.filter((path) => /^scripts\/[^/]+\.lua$/.test(path));
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');

  it.each(scripts)('%s states its keys, arguments and replies, and has a typed twin', (path) => {
    const text = read(path);
    for (const word of ['KEYS', 'ARGV', 'Replies']) expect(text).toMatch(new RegExp(`^-- ${word}`, 'm'));
    expect(files).toContain(path.replace('.lua', '.ts'));
  });

  it.each(files.filter((path) => path.endsWith('.lua')))('%s uses only keys that it is given', (path) => {
    const calls = [...read(path).matchAll(/redis\.call\('([A-Z]+)'(?:, ([^,)]+))?/g)];
    const literal = calls.filter(([, , key]) => key !== undefined && !/^(?:line\.\w+|KEYS\[\d+\]|[a-z]+)$/.test(key));
    expect(literal.map(([call]) => call)).toEqual([]);
  });

  it.each(files.filter((path) => path.endsWith('.ts') && !path.endsWith('keys.ts')))('%s builds no key', (path) => {
    expect(read(path)).not.toMatch(/\}:[a-z]|['`](?:queue|admission|instance|dispatch|vwr):/);
  });

  it.each(scripts)('%s includes each of its parts once', (path) => {
    const { source } = loadScript(pathToFileURL(join(folder, path)));
    const names = [...source.matchAll(/^local function (\w+)/gm)].map(([, name]) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(source).not.toContain('@include');
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}
