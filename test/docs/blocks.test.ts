/** Every code block of the docs is run by a test, or says why not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { simulate } from '../../src/cli/simulate.ts';
import { readRules } from '../../src/gate/decision/rules.ts';
import { readSites } from '../../src/gate/proxy/read-sites.ts';
import { findFaintColours, readTheme } from '../../src/pages/design/theme.ts';
import { toFlat } from '../../src/records/flat-record.ts';
import { readRecord } from '../../src/records/read-record.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestTerminal } from '../support/test-terminal.ts';
import { blocksOfKind, kinds, readBlocks, root } from './blocks.ts';

describe('code blocks of the docs', () => {
  it('are run by a test, or say why not in a comment before them: <!-- runs as: … --> or <!-- not run: … -->', () => {
    const unknown = readBlocks().filter(({ kind, notRun }) => notRun === undefined && !(kind in kinds));
    expect(unknown.map(({ where, kind }) => `${where}: ${kind}`)).toEqual([]);
  });

  it('are all found: fences come in pairs, at the start of a line', () => {
    expect(readBlocks().length).toBeGreaterThan(30);
    for (const path of new Set(readBlocks().map(({ where }) => where.split(':')[0]!))) {
      const fences = readFileSync(join(root, path), 'utf8').match(/^ *```/gm)!;
      const found = readBlocks().filter(({ where }) => where.startsWith(`${path}:`));
      expect([path, fences.length]).toEqual([path, found.length * 2]);
    }
  });

  it('parse as YAML, although no test runs them', () => {
    for (const { text, where } of readBlocks().filter(({ language }) => language === 'yaml')) {
      for (const document of parseAllDocuments(text)) expect(document.errors, where).toEqual([]);
    }
  });
});

describe('files shown in the docs', () => {
  const named = (kind: keyof typeof kinds) => blocksOfKind(kind).map(({ where, text }) => [where, text] as const);

  it.each([
    ['nginx', ['nginx/gate.conf']],
    ['caddy', ['caddy/Caddyfile']],
    ['haproxy', ['haproxy/haproxy.cfg', 'haproxy/fairline.lua']],
    ['traefik', ['traefik/gate.yaml']],
  ] as const)('show the configuration of %s that deploy/ ships, without the comment at its top', (kind, paths) => {
    const shipped = paths.map((path) => {
      const lines = readFileSync(join(root, 'deploy', path), 'utf8').split('\n');
      return lines.slice(lines.findIndex((line) => !/^(#|--)/.test(line))).join('\n');
    });
    expect(blocksOfKind(kind).map(({ text }) => text)).toEqual(shipped);
  });

  it.each(named('rules'))('are valid rules of the gate: %s', (_where, text) => {
    expect(readRules(JSON.parse(text))).toMatchObject({ outcome: 'read' });
  });

  it.each(named('sites'))('are a valid file of sites: %s', (_where, text) => {
    expect(readSites(JSON.parse(text))).toMatchObject({ outcome: 'read' });
  });

  it.each(named('theme'))('are a valid theme with enough contrast: %s', (_where, text) => {
    const read = readTheme(JSON.parse(text));
    if (read.outcome !== 'read') throw new Error(read.problems.join('; '));
    expect(findFaintColours(read.theme)).toEqual([]);
  });

  it.each(named('record'))('are a valid record: %s', (_where, text) => {
    expect(readRecord(text)).toMatchObject({ outcome: 'record' });
  });

  it('show the same record in both formats', () => {
    const [nested, flat] = blocksOfKind('record').map(({ text }) => JSON.parse(text));
    expect(toFlat(nested)).toEqual(flat);
  });

  it.each(named('arrivals'))('are a valid arrivals file: %s', async (_where, text) => {
    const file = join(tempFolder(), 'arrivals.csv');
    writeFileSync(file, text);
    const terminal = createTestTerminal();
    const small = ['--visitors', '500', '--limit', '50', '--shopping', 'fixed:5'];
    expect(await simulate.run(['--arrivals', file, ...small, '--json'], terminal)).toBe(0);
    expect(JSON.parse(terminal.printed()).sales[0].summary.visitors).toBe(500);
  });
});
