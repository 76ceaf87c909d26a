/** All settings of a room; changes are reviewed before they are saved. */
import type { SettingTexts } from '../../../texts/en.ts';
import { fill } from '../../../texts/language.ts';
import type { SettingFact, SettingValue } from '../../api/setting-fact.ts';
import type { RoomSummary } from '../../api/wire.ts';
import { type Desk, refusalText } from '../../controls/desk.ts';
import { el } from '../../controls/dom.ts';
import { createField, type Field, type Input, select, showProblems } from '../../controls/field.ts';
import { lockUnless, needs } from '../../controls/needs.ts';
import { type Panel, section } from '../../controls/panel.ts';
import { formatNumber, showChoice, showSetting } from '../../controls/show-values.ts';
import { groupSettings } from './setting-groups.ts';
import { findChanges, readInput, type SettingChange, toInputText } from './setting-input.ts';

type Values = Record<string, SettingValue>;

export function settingsPanel(desk: Desk, eventId: string): Panel {
  const { texts, facts } = desk;
  const fields = new Map(facts.settings.map((fact) => [fact.name, createSettingField(fact, desk)]));
  let overrides: Values = {};
  let isTouched = false;

  const form = el('form', { noValidate: true });
  form.addEventListener('input', () => {
    isTouched = true;
  });
  form.append(
    ...groupSettings(facts.settings).map(([group, members]) =>
      el(
        'fieldset',
        {},
        el('legend', { textContent: texts[group] }),
        ...members.map(({ name }) => fields.get(name)!.root),
      ),
    ),
    needs('operator', reviewActions(desk)),
  );
  lockUnless(desk, 'operator', form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const after = read();
    if (after === undefined) return desk.say(texts.problems, 'bad');
    const changes = findChanges(facts.settings, overrides, after);
    if (changes.length === 0) return desk.say(texts.unchanged);
    if (await desk.confirm(toQuestion(changes, eventId, desk))) await save(changes);
  });

  /** Reads the fields; undefined if a value is not allowed, which is shown at its field. */
  function read(): Values | undefined {
    const read = facts.settings.map((fact) => ({ fact, outcome: readInput(fact, fields.get(fact.name)!.input.value) }));
    const problems = read.flatMap(({ fact, outcome }) => {
      if (outcome.ok) return [];
      const [low, high] = [outcome.low, outcome.high].map((value) => formatNumber(value, desk.language));
      return [{ field: fact.name, message: fill(texts.range, { low: low!, high: high! }) }];
    });
    showProblems(fields, problems);
    if (problems.length > 0) return undefined;
    return Object.fromEntries(read.map(({ fact, outcome }) => [fact.name, outcome.ok ? outcome.value : null]));
  }

  async function save(changes: readonly SettingChange[]): Promise<void> {
    const change = Object.fromEntries(changes.map(({ fact, after }) => [fact.name, after]));
    const answer = await desk.api.put<RoomSummary>(`/api/admin/rooms/${eventId}`, change);
    const others = showProblems(fields, answer.ok ? [] : answer.fields);
    if (!answer.ok)
      return desk.say(others[0] ?? (answer.fields.length > 0 ? texts.problems : refusalText(desk, answer)), 'bad');
    isTouched = false;
    take(answer.body.overrides as Values);
    desk.say(texts.saved);
    desk.refresh();
  }

  function take(values: Values): void {
    overrides = values;
    for (const fact of facts.settings) fields.get(fact.name)!.input.value = toInputText(fact, values[fact.name]);
  }

  const root = section(
    'settings',
    texts.settings,
    el('p', { className: 'about', textContent: texts.settingsAbout }),
    form,
  );
  root.classList.add('wide');
  return {
    root,
    update(room) {
      // Do not overwrite what the operator is typing.
      if (!isTouched && !form.contains(document.activeElement)) take(room.overrides as Values);
    },
  };
}

function reviewActions({ texts }: Desk): HTMLElement {
  const button = el('button', { id: 'review', type: 'submit', className: 'main', textContent: texts.review });
  return el('div', { className: 'actions' }, button);
}

function createSettingField(fact: SettingFact, desk: Desk): Field {
  const { texts, settingTexts, facts } = desk;
  const { name } = fact;
  const unit = fact.kind === 'duration' ? ` (${texts.seconds})` : '';
  const standard = showSetting(fact, facts.roomDefaults[name], desk);
  const about = `${settingTexts[`${name}_about` as keyof SettingTexts] ?? ''} — ${fill(texts.defaultIs, { value: standard })}`;
  const label = `${settingTexts[name as keyof SettingTexts] ?? name}${unit}`;
  return createField({ id: `setting-${name}`, label, about, input: createInput(fact, standard, desk) });
}

function createInput(fact: SettingFact, standard: string, desk: Desk): Input {
  const { texts } = desk;
  if (fact.kind === 'choice') {
    const options = fact.options.map((option): [string, string] => [option, showChoice(option, desk)]);
    return select([['', fill(texts.defaultValue, { value: standard })], ...options], '');
  }
  if (fact.kind === 'text') {
    return el('input', { type: 'text', autocomplete: 'off', maxLength: fact.maxLength, placeholder: standard });
  }
  if (fact.kind === 'time') return el('input', { type: 'datetime-local', step: '1' });
  return el('input', { type: 'text', inputMode: 'decimal', autocomplete: 'off', placeholder: standard });
}

function toQuestion(changes: readonly SettingChange[], eventId: string, desk: Desk) {
  const { texts, settingTexts, facts } = desk;
  const shown = (fact: SettingFact, value: SettingValue) =>
    value === null
      ? fill(texts.defaultValue, { value: showSetting(fact, facts.roomDefaults[fact.name], desk) })
      : showSetting(fact, value, desk);
  const rows = changes.map(({ fact, before, after }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row', textContent: settingTexts[fact.name as keyof SettingTexts] ?? fact.name }),
      el('td', { textContent: shown(fact, before) }),
      el('td', {}, el('strong', { textContent: shown(fact, after) })),
    ),
  );
  const head = [texts.setting, texts.before, texts.after].map((textContent) => el('th', { scope: 'col', textContent }));
  return {
    title: fill(texts.reviewTitle, { event: eventId }),
    body: el('table', { id: 'changes' }, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows)),
    yes: texts.save,
  };
}
