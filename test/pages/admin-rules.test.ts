/** Pure parts of the operator page: setting fields, charts. */
import { describe, expect, it } from 'vitest';
import { RoomSettings } from '../../src/line/model/room-settings.ts';
import { alarmNames } from '../../src/operations/alarms.ts';
import { append, noHistory } from '../../src/pages/admin/api/history.ts';
import type { SettingFact } from '../../src/pages/admin/api/setting-fact.ts';
import { toBars } from '../../src/pages/admin/charts/bar-shapes.ts';
import { spanOf, toPath, topOf } from '../../src/pages/admin/charts/chart-path.ts';
import { groupSettings } from '../../src/pages/admin/rooms/settings/setting-groups.ts';
import { findChanges, readInput, toInputText } from '../../src/pages/admin/rooms/settings/setting-input.ts';
import { toDays, toHours } from '../../src/pages/admin/stats/time-spans.ts';
import { toSettingFacts } from '../../src/pages/serve/setting-facts.ts';
import { catalogues } from '../../src/pages/texts/catalogues.ts';

const facts = toSettingFacts(RoomSettings.properties);
const schemas = RoomSettings.properties as unknown as Record<string, { description?: string }>;
const factOf = (name: string) => facts.find((fact) => fact.name === name) as SettingFact;

describe('the settings on the operator page', () => {
  it('are complete, each in one group, except those with their own controls', () => {
    const shown = groupSettings(facts).flatMap(([, members]) => members.map(({ name }) => name));
    expect([...shown, 'state', 'message', 'failOpen', 'followHealth', 'ignoreHealthUntil'].sort()).toEqual(
      Object.keys(RoomSettings.properties).sort(),
    );
  });

  it('have a label and a description; the English one is that of the schema', () => {
    for (const { name } of facts) {
      const { description } = schemas[name]!;
      const english = catalogues.en.settings as Record<string, string>;
      expect(english[name], name).toBeTruthy();
      expect(english[`${name}_about`]).toBe(description);
    }
  });

  it('convert to field text and back; milliseconds are edited as seconds', () => {
    for (const [name, value, text] of [
      ['claimTtlMs', 1_500, '1.5'],
      ['maxActive', 0, '0'],
      ['admitPerSecond', 2.5, '2.5'],
      ['renew', false, 'false'],
      ['order', 'draw', 'draw'],
    ] as const) {
      expect(toInputText(factOf(name), value)).toBe(text);
      expect(readInput(factOf(name), text)).toEqual({ ok: true, value });
      expect(readInput(factOf(name), ' ')).toEqual({ ok: true, value: null });
    }
    const opensAt = '2027-03-01T01:00:00.000Z';
    expect(readInput(factOf('opensAt'), toInputText(factOf('opensAt'), opensAt))).toEqual({ ok: true, value: opensAt });
  });

  it.each([
    ['maxActive', '-1', 0, 10_000_000],
    ['maxActive', '1.5', 0, 10_000_000],
    ['maxActive', 'many', 0, 10_000_000],
    ['admitPerSecond', '0', 0, 100_000],
    ['claimTtlMs', '0.9', 1, 86_400],
    ['claimTtlMs', '86401', 1, 86_400],
  ])('refuses %s = %s', (name, text, low, high) => {
    expect(readInput(factOf(name), text)).toEqual({ ok: false, low, high });
  });

  it('report changes; the same time in another zone is no change', () => {
    const before = { maxActive: 5, opensAt: '2027-03-01T10:00:00+09:00' };
    const after = { maxActive: null, opensAt: '2027-03-01T01:00:00.000Z', burst: 3 };
    const changes = findChanges(facts, before, after);
    expect(changes.map(({ fact, ...values }) => [fact.name, values])).toEqual([
      ['maxActive', { before: 5, after: null }],
      ['burst', { before: null, after: 3 }],
    ]);
  });

  it('have a text for every alarm', () => {
    for (const name of alarmNames) expect(catalogues.en.admin).toHaveProperty(`alarm_${name}`);
  });
});

describe('a chart', () => {
  const frame = { from: 0, to: 100, top: 10, width: 100, height: 10 };

  it('draws from left to right and breaks at unknown values', () => {
    expect(toPath([0, 50, 100], [0, 10, 5], frame)).toBe('M0 10h0L50 0L100 5');
    expect(toPath([0, 50, 100], [0, null, 5], frame)).toBe('M0 10h0M100 5h0');
    expect(toPath([-10, 0], [1, 0], frame)).toBe('M0 10h0');
    expect(toPath([], [], frame)).toBe('');
  });

  it('has a round maximum and spans 1 to 15 minutes', () => {
    expect([[[0]], [[7, null]], [[11], [3]], [[2_000]], [[2_001]]].map(topOf)).toEqual([1, 10, 20, 2_000, 5_000]);
    expect(spanOf([1_000_000, 1_002_000])).toEqual({ from: 942_000, to: 1_002_000 });
    expect(spanOf([0, 2_000_000])).toEqual({ from: 1_100_000, to: 2_000_000 });
  });

  it('appends each point once and drops the oldest', () => {
    const point = (at: number[]) => ({ ...noHistory, at, waiting: at });
    const known = append(append(noHistory, point([1, 2])), point([2, 3]));
    expect(known.at).toEqual([1, 2, 3]);
    expect(known.waiting).toEqual([1, 2, 3]);
    const many = Array.from({ length: 1_200 }, (_, i) => i + 10);
    expect(append(known, point(many)).at).toHaveLength(1_000);
  });
});

describe('a bar chart', () => {
  it('has one bar per value, side by side, none above the maximum', () => {
    const { bars, top } = toBars(
      [
        [5, 0],
        [20, 10],
      ],
      { width: 80, height: 100 },
    );
    expect(top).toBe(20);
    expect(bars.map(({ x, width, height }) => [x, width, height])).toEqual([
      [5, 15, 25],
      [20, 15, 0],
      [45, 15, 100],
      [60, 15, 50],
    ]);
    expect(bars.every(({ y, height }) => y + height === 100)).toBe(true);
    expect(toBars([], { width: 80, height: 100 }).bars).toEqual([]);
  });

  it('fills in hours and days without activity', () => {
    const nothing = { counts: {} as never, money: [] };
    const hours = toHours([{ hour: '2027-03-01T22:00:00Z', ...nothing }], Date.parse('2027-03-02T01:30:00Z'));
    expect(hours).toHaveLength(24);
    expect(hours.findIndex(({ figures }) => figures !== undefined)).toBe(20);
    expect(new Date(hours.at(-1)!.hour).toISOString()).toBe('2027-03-02T01:00:00.000Z');
    const days = (...known: string[]) => toDays(known.map((day) => ({ day, ...nothing }))).map(({ day }) => day);
    expect(days()).toEqual([]);
    expect([days('2027-03-01')[0], days('2027-03-01').length]).toEqual(['2027-02-23', 7]);
    expect(days('2027-02-27', '2027-03-08')).toHaveLength(10);
    expect([days('2026-01-01', '2027-03-31')[0], days('2026-01-01', '2027-03-31').length]).toEqual(['2027-03-02', 30]);
  });
});
