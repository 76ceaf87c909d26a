/** Checks the files of the Redis scripts: contract, typed twin, keys. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadScript } from '../../src/platform/redis/scripts.ts';

const SOURCES = join(import.meta.dirname, '../../src');

describe.each(['line/store/redis', 'live/redis', 'tier1/store/redis', 'shop/redis'])('the scripts of %s', (service) => {
  const folder = join(SOURCES, service);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const scripts = files.filter((path) => /^scripts\/[^/]+\.lua$/.test(path));
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');

  it.each(scripts)('%s states its keys, arguments and replies, and has a typed twin', (path) => {
    const text = read(path);
    for (const word of ['KEYS', 'ARGV', 'Replies']) expect(text).toMatch(new RegExp(`^-- ${word}`, 'm'));
    expect(files).toContain(path.replace('.lua', '.ts'));
  });

  it.each(files.filter((path) => path.endsWith('.lua')))('%s uses only the keys it is given', (path) => {
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
