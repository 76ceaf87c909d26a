/** The mutants of `npm run mutants` follow the code, the tests and the docs that they name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutants } from '../mutants/all.mjs';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** Lines are broken anywhere, and code and emphasis are marked. */
const plain = (text: string) => text.replace(/\*\*/g, '').replace(/\s+/g, ' ');
const numberOfInvariants = [...read('docs/reference/line.md').matchAll(/^\d+\. \*\*[^*]+\*\*/gm)].length;

/** The text of all tests: titles of contracts are in helpers. */
const testText = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('mutants/'))
  .map((path) => read(`test/${path}`))
  .join('\n');

describe('the mutants', () => {
  it('are at least 60, each with a name of its own', () => {
    const names = mutants.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(60);
    expect([...new Set(names)]).toEqual(names);
  });

  it('apply: the text to replace occurs exactly once', () => {
    const outdated = mutants.flatMap(({ name, file, find, replace }) => {
      const count = existsSync(join(root, file)) ? read(file).split(find).length - 1 : 0;
      return count === 1 && find !== replace ? [] : [`${name}: ${count} times in ${file}`];
    });
    expect(outdated).toEqual([]);
  });

  it('break a promise that the page makes in these words', () => {
    const unfounded = mutants.filter(({ page, promise }) => !plain(read(page)).includes(plain(promise)));
    expect(unfounded.map(({ name, page, promise }) => `${name}: ${page} does not say “${promise}”`)).toEqual([]);
  });

  it('name tests that exist', () => {
    const tests = mutants.flatMap(({ name, tests }) => tests.map((test) => ({ name, ...test })));
    const missing = tests.filter(({ file, title }) => !existsSync(join(root, file)) || !testText.includes(title));
    expect(missing.map(({ name, file, title }) => `${name}: ${file} “${title}”`)).toEqual([]);
  });

  it('break every invariant of the line in each store', () => {
    const broken = (store: string) => [
      ...new Set(mutants.filter(({ name }) => name.startsWith(store)).flatMap(({ invariant = [] }) => invariant)),
    ];
    const invariants = Array.from({ length: numberOfInvariants }, (_, index) => index + 1);
    expect(invariants.length).toBeGreaterThanOrEqual(11);
    for (const store of ['embedded-', 'redis-']) expect(broken(store).sort((a, b) => a - b)).toEqual(invariants);
  });
});
