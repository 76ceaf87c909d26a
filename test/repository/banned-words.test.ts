/** One word, one meaning: the words that the glossary bans appear nowhere. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBannedWords, readBannedWords } from './banned-words.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const words = readBannedWords(read('docs/reference/glossary.md'));
const isText = (path: string) => /\.(ts|tsx|mjs|lua|sql|md|yaml|tf|conf)$/.test(path);
/** The table itself, its history, and the tests of this check. */
const isExempt = (path: string) =>
  ['docs/reference/glossary.md', 'CHANGELOG.md'].includes(path) || path.startsWith('test/repository/banned-words');

describe('the words that the glossary bans', () => {
  it('are read from its table', () => {
    expect(words.length).toBeGreaterThan(10);
    expect(words.map(({ pattern }) => pattern.source)).toContain('\\bedge\\b');
  });

  it('appear in no source, test or page', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    const paths = tracked.filter((path) => isText(path) && !isExempt(path));
    expect(paths.length).toBeGreaterThan(500);
    expect(paths.flatMap((path) => findBannedWords(path, read(path), words))).toEqual([]);
  });
});

describe('findBannedWords', () => {
  const table = '## Banned words\n\n| `\\bedge\\b` | tier 1 | `edge runtime`, `lambda/**` |\n';
  const find = (path: string, text: string) => findBannedWords(path, text, readBannedWords(table));

  it('names the file, the line, the word and its replacement', () => {
    expect(find('src/a.ts', 'one\nthe edge store')).toEqual(['src/a.ts:2: "edge", use: tier 1']);
  });

  it('accepts an allowed phrase, and any use in an allowed path', () => {
    expect(find('src/a.ts', 'a gate in an edge runtime')).toEqual([]);
    expect(find('lambda/x/y.ts', 'the edge')).toEqual([]);
  });
});
