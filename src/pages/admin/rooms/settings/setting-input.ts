/** Converts between the value of a setting and the text of its field. An empty field means the default. */

import type { NumberFact, SettingFact, SettingValue } from '../../api/setting-fact.ts';
import { toLocalText } from '../../controls/local-time.ts';

export type ReadInput = { ok: true; value: SettingValue } | { ok: false; low: number; high: number };

const SECOND_MS = 1_000;

export function toInputText(fact: SettingFact, value: SettingValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (fact.kind === 'duration') return String(Number(value) / SECOND_MS);
  return fact.kind === 'time' ? toLocalText(String(value)) : String(value);
}

export function readInput(fact: SettingFact, text: string): ReadInput {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: true, value: null };
  if (fact.kind === 'time') return { ok: true, value: new Date(trimmed).toISOString() };
  if (fact.kind === 'text') return { ok: true, value: trimmed };
  if (fact.kind === 'choice') {
    return { ok: true, value: trimmed === 'true' || trimmed === 'false' ? trimmed === 'true' : trimmed };
  }
  return readNumber(fact, Number(trimmed));
}

function readNumber(fact: NumberFact, shown: number): ReadInput {
  const unit = fact.kind === 'duration' ? SECOND_MS : 1;
  const value = fact.kind === 'duration' ? Math.round(shown * SECOND_MS) : shown;
  const isAllowed =
    Number.isFinite(value) &&
    (!fact.isWhole || Number.isInteger(value)) &&
    (fact.isAbove ? value > fact.min : value >= fact.min) &&
    value <= fact.max;
  return isAllowed ? { ok: true, value } : { ok: false, low: fact.min / unit, high: fact.max / unit };
}

export interface SettingChange {
  fact: SettingFact;
  before: SettingValue;
  after: SettingValue;
}

type Values = Readonly<Record<string, SettingValue | undefined>>;

/** The differences; null means the default. Times are compared to the second. */
export function findChanges(facts: readonly SettingFact[], before: Values, after: Values): SettingChange[] {
  return facts
    .map((fact) => ({ fact, before: before[fact.name] ?? null, after: after[fact.name] ?? null }))
    .filter((change) => normalise(change.fact, change.before) !== normalise(change.fact, change.after));
}

function normalise(fact: SettingFact, value: SettingValue): SettingValue {
  return fact.kind === 'time' && value !== null ? Math.floor(Date.parse(String(value)) / SECOND_MS) : value;
}
