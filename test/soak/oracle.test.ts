/** The oracle finds what it should: a history in which every promise was kept, falsified in one way at a time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askedBy, falsified, set, switchedOff } from './falsifications.ts';
import type { Asked } from './history.ts';
import { at, createHonestHistory } from './honest-history.ts';
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

describe('a busy machine', () => {
  it('is forgiven free slots for as long as an admitter was seen not to run', () => {
    const history = createHonestHistory();
    for (const entry of history.entries) if (entry.kind === 'sample' && entry.at > at(199)) entry.inside = 1;
    history.entries.push({ kind: 'stall', at: at(201), until: at(207), process: 'admitter-2.1' });
    expect(judge(history)).toEqual([]);
  });

  it('is forgiven an admission at the claim door that ran out while its visitor got no answer', () => {
    const history = createHonestHistory();
    const gone = askedBy(history, 'kim', 'claim-status');
    history.entries = history.entries.filter(
      (entry) => !(entry.kind === 'asked' && entry.visitor === 'kim' && entry.at >= gone.at),
    );
    history.entries.push({ ...gone, at: at(22.5), until: at(22.6), said: { state: 'gone' } });
    expect(judge(history)).toEqual([]);
  });

  it('is forgiven pages that are lost when Redis goes away and timers are late', () => {
    const history = createHonestHistory();
    for (const poll of [askedBy(history, 'emil', 'status', 1), askedBy(history, 'emil', 'status', 2)]) {
      set(poll, { status: 503, retryAfter: 1 });
      delete poll.said;
    }
    const faults = history.entries.filter((entry) => entry.kind === 'fault');
    const outage = faults.find(({ fault }) => fault === 'redis-kill')!;
    history.entries.push({ kind: 'late', at: outage.at - 300, until: outage.at - 100 });
    expect(judge(history)).toEqual([]);
  });

  it('is forgiven a store that seems to be away while the process that asked it stood still', () => {
    const history = createHonestHistory();
    const join = askedBy(history, 'ines', 'join');
    set(join, { status: 503, code: 'STORE_UNAVAILABLE', retryAfter: 1 });
    delete join.said;
    history.entries.push({ kind: 'stall', at: join.until - 1_200, until: join.until - 200, process: join.process });
    expect(judge(history)).toEqual([]);
  });

  it('is forgiven a join without a number after a request to switch tier 1 off that got no answer', () => {
    const history = createHonestHistory();
    set(askedBy(history, 'max', 'join'), { status: 200, said: { state: 'waiting', number: 12 } });
    history.entries.push(switchedOff(history, 0));
    expect(judge(history)).toEqual([]);
  });

  it('is forgiven a number of tier 1 for a visitor who had a place from a join whose response was lost', () => {
    const history = createHonestHistory();
    const assigned = askedBy(history, 'lena', 'assign');
    set(askedBy(history, 'lena', 'join').said!, { number: 10 });
    const { said: _, ...lost } = { ...assigned, action: 'join', at: at(15), until: at(23), status: 0 } as Asked;
    history.entries.push(lost);
    expect(judge(history)).toEqual([]);
  });
});

describe('docs/explanation/soak.md', () => {
  it('lists every promise with its number, page and sentence', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/explanation/soak.md'), 'utf8');
    const rows = Object.entries(promises).map(([no, { page: of, sentence }]) => `| ${no} | ${sentence} | \`${of}\` |`);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});
