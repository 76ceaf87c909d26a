import { describe, expect, it } from 'vitest';
import type { Faulted, HistoryEntry } from './history.ts';
import { createHonestHistory } from './honest-history.ts';
import { memoryTrends } from './memory.ts';
import { readOptions, UsageError } from './options.ts';
import { judge } from './oracle/judge.ts';
import { createVerdict, describeVerdict } from './verdict.ts';

describe('the verdict', () => {
  it('counts, and says that no promise was broken', () => {
    const history = createHonestHistory();
    const verdict = createVerdict(history, judge(history));
    expect(verdict.counts).toMatchObject({ faults: 2, kinds: 2, purchases: 2, records: 10 });
    expect(describeVerdict(verdict)).toContain('No promise was broken.');
  });

  it('shows the number, the sentence and the entries of a violation', () => {
    const history = createHonestHistory();
    const second = history.entries.findLast(
      (entry) => entry.kind === 'asked' && entry.visitor === 'carl' && entry.action === 'status',
    );
    Object.assign(second!, { said: { state: 'waiting', number: 3 } });
    const text = describeVerdict(createVerdict(history, judge(history)));
    expect(text).toMatch(
      /L09 \(1\): A visitor who was told[^\n]*\n {2}carl[^\n]*\n {4}\{.*"inside".*\n {4}\{.*"waiting"/,
    );
  });

  it('takes recovery times only from faults that no other one overlapped', () => {
    const history = createHonestHistory();
    const fault = history.entries.find((entry) => entry.kind === 'fault')!;
    history.entries.push({ ...fault, recoveredAt: fault.at + 50_000, isClean: false });
    const [, redis] = createVerdict(history, []).recoveries;
    expect(redis).toEqual({ fault: 'redis-kill', count: 2, clean: 1, p50Ms: 300, worstMs: 300, goalMs: 500, met: 1 });
  });
});

describe('the table of recovery times', () => {
  it('says for each kind of fault how many met the goal', () => {
    const history = createHonestHistory();
    const fault = history.entries.find((entry) => entry.kind === 'fault' && entry.fault === 'redis-kill') as Faulted;
    history.entries.push({ ...fault, recoveredAt: fault.until + 700 });
    expect(describeVerdict(createVerdict(history, []))).toMatch(/redis-kill +2 +2 +300 +700 +500 +1\/2/);
  });
});

describe('the memory of a process', () => {
  const seen = (minute: number, rssMb: number, process = 'line-1.1'): HistoryEntry => ({
    ...{ kind: 'memory', at: minute * 60_000, role: 'line-1', process },
    ...{ rssBytes: rssMb * 2 ** 20, heapBytes: rssMb * 2 ** 19 },
  });
  const minutes = Array.from({ length: 61 }, (_, minute) => minute);

  it('is judged by its growth after the first quarter', () => {
    const entries = minutes.map((minute) => seen(minute, minute < 15 ? 50 + minute : 65));
    expect(memoryTrends(entries)).toMatchObject([{ role: 'line-1', rssPerHourMb: 0, heapPerHourMb: 0 }]);
  });

  it('grows by the slope per hour', () => {
    expect(memoryTrends(minutes.map((minute) => seen(minute, 100 + minute)))[0]).toMatchObject({
      rssPerHourMb: 60,
      heapPerHourMb: 30,
    });
  });

  it('is that of one start: a restart is no growth', () => {
    const entries = [...minutes.map((minute) => seen(minute, 80)), seen(61, 20, 'line-1.2'), seen(62, 90, 'line-1.2')];
    expect(memoryTrends(entries)).toMatchObject([{ rssPerHourMb: 0 }]);
  });
});

describe('the options', () => {
  it('have defaults', () => {
    expect(readOptions([], '/tmp')).toMatchObject({ minutes: 5, faults: 75, store: 'redis', only: [], folder: '/tmp' });
    expect(readOptions(['--memory'], '/tmp').faults).toBe(0);
  });

  it.each([[['--store', 'mysql']], [['--minutes', 'many']], [['--faults', '-1']], [['--unknown']]])(
    'refuse %j',
    (words) => {
      expect(() => readOptions(words, '/tmp')).toThrow(UsageError);
    },
  );
});
