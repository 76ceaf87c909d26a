/** The oracle finds what it should: a history in which every promise was kept, falsified in one way at a time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askedBy, falsified, set } from './falsifications.ts';
import { createHonestHistory } from './honest-history.ts';
import { judge } from './oracle/judge.ts';
import { type PromiseNo, promises } from './oracle/promises.ts';

describe('the oracle', () => {
  it('finds nothing in a history in which every promise was kept', () => {
    expect(judge(createHonestHistory())).toEqual([]);
  });

  it.each(falsified)('%s: %s', (promise, _what, falsify) => {
    const history = createHonestHistory();
    falsify(history);
    expect(judge(history).map((violation) => violation.promise)).toContain(promise);
  });

  it('is tested for every promise', () => {
    const tested = new Set(falsified.map(([promise]) => promise));
    expect(Object.keys(promises).filter((promise) => !tested.has(promise as PromiseNo))).toEqual([]);
  });

  it('forgives a cluster that does not wait for replicas what a failover may lose', () => {
    const history = createHonestHistory();
    set(askedBy(history, 'emil', 'status', 3), { said: { state: 'gone' } });
    set(history.facts, { store: 'cluster', mayLoseWrites: true });
    expect(judge(history)).toEqual([]);
  });

  it('forgives nobody who waits for replicas', () => {
    const history = createHonestHistory();
    set(askedBy(history, 'emil', 'status', 3), { said: { state: 'gone' } });
    set(history.facts, { store: 'cluster-wait' });
    expect(judge(history).map(({ promise }) => promise)).toEqual(['R07']);
  });
});

describe('docs/explanation/soak.md', () => {
  it('lists every promise with its number, page and sentence', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/explanation/soak.md'), 'utf8');
    const rows = Object.entries(promises).map(([no, { page: of, sentence }]) => `| ${no} | ${sentence} | \`${of}\` |`);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});
