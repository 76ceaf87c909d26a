import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Beginning, type Step } from '../../../src/platform/concurrency/beginning.ts';
import { until } from '../../support/until.ts';

const LONG_MS = 60_000;

function createBeginning(pauses: { firstPauseMs?: number; longestPauseMs?: number } = { firstPauseMs: 1 }): Beginning {
  const beginning = new Beginning({ log: pino({ level: 'silent' }), ...pauses });
  onTestFinished(() => beginning.stop());
  return beginning;
}

/** A store that a test puts away and brings back. */
function createStore(name = 'Redis') {
  const store = {
    error: undefined as Error | undefined,
    tries: 0,
    step(more: Partial<Step> = {}): Step {
      return { name, store: name, isHopeless: (error) => (error as Error).message === 'too old', run, ...more };
    },
  };
  async function run(): Promise<void> {
    store.tries += 1;
    if (store.error !== undefined) throw store.error;
  }
  return store;
}

describe('beginning on a store', () => {
  it('is done with the first try if the store is there', async () => {
    const beginning = createBeginning();
    const store = createStore();
    beginning.add(store.step());
    await beginning.firstTries(['Redis'], LONG_MS);
    await beginning.whenDone(['Redis']);
    expect([beginning.faultOf('Redis'), store.tries]).toEqual([undefined, 1]);
  });

  it('gives the reason while the store is away, and is done when it comes', async () => {
    const beginning = createBeginning();
    const store = createStore();
    store.error = new Error('connection refused by redis://user:hunter2@host');
    beginning.add(store.step());
    await beginning.firstTries(['Redis'], LONG_MS);
    expect(beginning.faultOf('Redis')).toMatch(/^connection refused/);
    expect(beginning.faultOf('Redis')).not.toContain('hunter2');
    await until('more tries', () => store.tries > 3);
    store.error = undefined;
    await beginning.whenDone(['Redis']);
    expect(beginning.faultOf('Redis')).toBeUndefined();
  });

  it('tries at once when told that the store is back, however long the pause is', async () => {
    const beginning = createBeginning({ firstPauseMs: LONG_MS, longestPauseMs: LONG_MS });
    const store = createStore();
    store.error = new Error('away');
    beginning.add(store.step());
    await beginning.firstTries(['Redis'], LONG_MS);
    store.error = undefined;
    beginning.again('Redis');
    await beginning.whenDone(['Redis']);
    expect(store.tries).toBe(2);
  });

  it('fails the start with an error against which waiting does not help', async () => {
    const beginning = createBeginning();
    const store = createStore();
    store.error = new Error('too old');
    beginning.add(store.step());
    await expect(beginning.firstTries(['Redis'], LONG_MS)).rejects.toThrow('too old');
  });

  it('does not fail the start because of a store that the process does not use', async () => {
    const beginning = createBeginning();
    const store = createStore();
    store.error = new Error('too old');
    beginning.add(store.step());
    await beginning.firstTries(['PostgreSQL'], LONG_MS);
  });

  it('reports such an error of a server that came later, until an operator has fixed it', async () => {
    const beginning = createBeginning();
    const store = createStore();
    store.error = new Error('away');
    beginning.add(store.step());
    await beginning.firstTries(['Redis'], LONG_MS);
    store.error = new Error('too old');
    await until('the new reason', () => beginning.faultOf('Redis') === 'too old');
    store.error = undefined;
    await until('no reason', () => beginning.faultOf('Redis') === undefined);
  });

  it('checks a store that was away again, and leaves it to the store to say that it is away', async () => {
    const beginning = createBeginning();
    const store = createStore();
    beginning.add(store.step());
    await beginning.whenDone(['Redis']);
    store.error = new Error('away');
    beginning.again('Redis');
    await until('more tries', () => store.tries > 3);
    expect(beginning.faultOf('Redis')).toBeUndefined();
    store.error = new Error('too old');
    await until('a reason', () => beginning.faultOf('Redis') === 'too old');
  });

  it('takes later steps only when those before are done', async () => {
    const beginning = createBeginning();
    const [store, list] = [createStore(), createStore('the list')];
    store.error = new Error('away');
    beginning.add(store.step());
    beginning.add(list.step({ store: 'Redis', after: ['Redis'] }));
    await beginning.firstTries(['Redis'], LONG_MS);
    await until('more tries', () => store.tries > 3);
    expect(list.tries).toBe(0);
    store.error = undefined;
    await beginning.whenDone(['Redis']);
    expect(list.tries).toBe(1);
  });

  it('waits at the start for a store that does not answer no longer than asked', async () => {
    const beginning = createBeginning();
    let answer = () => {};
    const run = () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      });
    beginning.add({ name: 'Redis', store: 'Redis', run });
    await beginning.firstTries(['Redis'], 1);
    expect(beginning.faultOf('Redis')).toBe('Redis: not ready yet');
    answer();
    await beginning.whenDone(['Redis']);
    expect(beginning.faultOf('Redis')).toBeUndefined();
  });

  it('stops while it waits, and never tries again', async () => {
    const beginning = createBeginning({ firstPauseMs: LONG_MS, longestPauseMs: LONG_MS });
    const [store, list] = [createStore(), createStore('the list')];
    store.error = new Error('away');
    beginning.add(store.step());
    beginning.add(list.step({ after: ['Redis'] }));
    await beginning.firstTries(['Redis'], LONG_MS);
    await beginning.stop();
    beginning.again('Redis');
    await new Promise(setImmediate);
    expect([store.tries, list.tries]).toEqual([1, 0]);
  });
});
