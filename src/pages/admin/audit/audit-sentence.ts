/** An entry of the audit trail as a sentence: "Maximum inside 100 → 5". */
import type { AdminTexts, SettingTexts } from '../../texts/en.ts';
import { formatMoment } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import type { SettingValue } from '../api/setting-fact.ts';
import type { AuditEntry } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { showSetting } from '../controls/show-values.ts';

export type SentenceReader = Pick<Desk, 'texts' | 'settingTexts' | 'language' | 'facts' | 'durationTexts'>;
type Values = Record<string, unknown>;

export function toSentence({ action, details }: AuditEntry, reader: SentenceReader): string {
  const { texts, language } = reader;
  const { change, before, at, by } = details as { change?: Values; before?: Values; at?: string; by?: string };
  const text = texts[`did_${action.replaceAll(' ', '_')}` as keyof AdminTexts] as string | undefined;
  if (action === 'set threshold')
    return describeChange({ maxActive: details.threshold }, { maxActive: details.before }, reader);
  if (action === 'clear queue') return fill(texts.auditCleared, pick(details));
  if (action === 'change room' && change !== undefined) return describeChange(change, before ?? {}, reader);
  if (action === 'create room' && change !== undefined) {
    const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null));
    const said = Object.keys(set).length === 0 ? '' : `: ${describeChange(set, undefined, reader)}`;
    return `${text}${said}`;
  }
  if (text === undefined) return action;
  const time = at === undefined ? '' : formatMoment(at, language);
  const changed = change === undefined ? '' : describeChange(change, before, reader);
  return fill(text, { ...pick(details), time, by: by ?? '', change: changed });
}

/** `before`: the values that were overridden; undefined: only the new values are known. */
export function describeChange(change: Values, before: Values | undefined, reader: SentenceReader): string {
  return Object.entries(change)
    .map(([name, after]) => describeOne(name, after, before, reader))
    .join(', ');
}

function describeOne(name: string, after: unknown, before: Values | undefined, reader: SentenceReader): string {
  const { texts, settingTexts } = reader;
  if (name === 'state') return describeState(after, texts);
  if (name === 'message') return describeMessage(after, reader);
  const setting = settingTexts[name as keyof SettingTexts] ?? texts[name as keyof AdminTexts] ?? name;
  const values = { setting, after: showValue(name, after, reader) };
  if (before === undefined) return `${values.setting} → ${values.after}`;
  return fill(texts.auditChange, { ...values, before: showValue(name, before[name], reader) });
}

function describeState(state: unknown, texts: AdminTexts): string {
  if (state === 'paused') return texts.auditPaused;
  return state === 'closed' ? texts.auditClosed : texts.auditOpened;
}

function describeMessage(message: unknown, { texts, language }: SentenceReader): string {
  if (message === null || message === undefined) return texts.auditMessageGone;
  const { ko, en } = message as { ko?: string; en?: string };
  return fill(texts.auditMessage, { text: (language === 'ko' ? (ko ?? en) : (en ?? ko)) ?? '' });
}

function showValue(name: string, value: unknown, reader: SentenceReader): string {
  const { facts } = reader;
  const fact = facts.settings.find((one) => one.name === name);
  if (fact !== undefined) return showSetting(fact, (value ?? facts.roomDefaults[name]) as SettingValue, reader);
  if (value === null || value === undefined) return reader.texts.noDefault;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a sentence may name; an absent detail is left out. */
function pick(details: Values): Record<string, string> {
  const names = ['visitor', 'name', 'email', 'role', 'waiting', 'inside'];
  const email = details.email ?? details.operator;
  return Object.fromEntries(names.map((name) => [name, String((name === 'email' ? email : details[name]) ?? '')]));
}
