/** Every block of code in the docs is run by some test, or says why not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { simulate } from '../../src/cli/simulate.ts';
import { readRules } from '../../src/gate/decision/rules.ts';
import { findFaintColours, readTheme } from '../../src/pages/design/theme.ts';
import { readRecord } from '../../src/records/record.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestTerminal } from '../support/test-terminal.ts';
import { blocksOfKind, kinds, readBlocks, root } from './blocks.ts';

describe('the blocks of the docs', () => {
  it('are run, or say why not: <!-- runs as: … --> or <!-- not run: … --> before them', () => {
    const unknown = readBlocks().filter(({ kind, notRun }) => notRun === undefined && !(kind in kinds));
    expect(unknown.map(({ where, kind }) => `${where}: ${kind}`)).toEqual([]);
  });

  it('are all found: fences come in pairs, at the beginning of a line', () => {
    expect(readBlocks().length).toBeGreaterThan(30);
    for (const path of new Set(readBlocks().map(({ where }) => where.split(':')[0]!))) {
      const fences = readFileSync(join(root, path), 'utf8').match(/^ *```/gm)!;
      const found = readBlocks().filter(({ where }) => where.startsWith(`${path}:`));
      expect([path, fences.length]).toEqual([path, found.length * 2]);
    }
  });

  it('of YAML can be parsed, though nothing here runs them', () => {
    for (const { text, where } of readBlocks().filter(({ language }) => language === 'yaml')) {
      for (const document of parseAllDocuments(text)) expect(document.errors, where).toEqual([]);
    }
  });
});

describe('what docs show as a file', () => {
  const named = (kind: keyof typeof kinds) => blocksOfKind(kind).map(({ where, text }) => [where, text] as const);

  it('is nginx’s configuration as it is shipped', () => {
    const [shown, ...others] = blocksOfKind('nginx');
    const [, ...lines] = readFileSync(join(root, 'deploy/nginx/gate.conf'), 'utf8').split('\n');
    expect([shown?.text, others]).toEqual([lines.join('\n'), []]);
  });

  it.each(named('rules'))('is read as rules of the gate: %s', (_where, text) => {
    expect(readRules(JSON.parse(text))).toMatchObject({ outcome: 'read' });
  });

  it.each(named('theme'))('is read as a theme that everybody can read: %s', (_where, text) => {
    const read = readTheme(JSON.parse(text));
    if (read.outcome !== 'read') throw new Error(read.problems.join('; '));
    expect(findFaintColours(read.theme)).toEqual([]);
  });

  it.each(named('record'))('is read as a record: %s', (_where, text) => {
    expect(readRecord(text)).toMatchObject({ outcome: 'record' });
  });

  it.each(named('arrivals'))('is read as arrivals: %s', async (_where, text) => {
    const file = join(tempFolder(), 'arrivals.csv');
    writeFileSync(file, text);
    const terminal = createTestTerminal();
    const small = ['--visitors', '500', '--limit', '50', '--shopping', 'fixed:5'];
    expect(await simulate.run(['--arrivals', file, ...small, '--json'], terminal)).toBe(0);
    expect(JSON.parse(terminal.printed()).sales[0].summary.visitors).toBe(500);
  });
});
