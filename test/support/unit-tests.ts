/**
 * Finds the unit tests for `npm run test:unit`: those that start no process, browser, database or listening app, directly
 * or through test helpers. Found by their imports, so there is no list to maintain.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Imports, calls and settings that start something. */
const starters =
  /node:child_process|playwright-core|platform\/database\/|\bopenDatabase|\brunApp\b|\bcreateFairline\b|\.listen\(|SHOP: 'on'/;

export function findUnitTests(): string[] {
  const known = new Map<string, boolean>();
  const startsSomething = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    known.set(path, false);
    const text = readFileSync(path, 'utf8');
    const found = starters.test(text) || importedHelpers(path, text).some(startsSomething);
    known.set(path, found);
    return found;
  };
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join('test', path))
    .filter((path) => !startsSomething(join(root, path)))
    .sort();
}

/** Files below test/ that the file imports. */
function importedHelpers(path: string, text: string): string[] {
  return [...text.matchAll(/from '(\.[^']+\.ts)'/g)]
    .map(([, name]) => join(dirname(path), name!))
    .filter((file) => relative(root, file).startsWith('test/') && existsSync(file));
}
