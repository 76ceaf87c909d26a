/** Changes of the room that are scheduled: "at 10:05 limit 800". */
import type { ScheduledAnswer } from '../../../line/http/scheduled-answer.ts';
import type { AdminTexts } from '../../texts/en.ts';
import { formatMoment } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import { describeChange } from '../audit/audit-sentence.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el, fillWith, setText } from '../controls/dom.ts';
import { createField, select, showProblems } from '../controls/field.ts';
import { needs } from '../controls/needs.ts';
import { type Panel, section } from '../controls/panel.ts';

const EVERY_MS = 3_000;
const KINDS = ['limit', 'rate', 'paused', 'open', 'closed'] as const;
type Kind = (typeof KINDS)[number];

export function schedulePanel(desk: Desk, eventId: string): Panel {
  const { texts, api } = desk;
  const address = `/api/admin/rooms/${eventId}/scheduled`;
  const note = el('p', { className: 'about', textContent: texts.loading });
  const list = el('ul', { id: 'scheduled-list', className: 'plain-list' });
  let loadedAt = Number.NEGATIVE_INFINITY;

  async function load(): Promise<void> {
    loadedAt = performance.now();
    const answer = await api.get<ScheduledAnswer[]>(address);
    if (!answer.ok) return setText(note, refusalText(desk, answer));
    setText(note, answer.body.length === 0 ? `${texts.scheduledNone} ${texts.scheduledAbout}` : texts.scheduledAbout);
    const shown = JSON.stringify(answer.body);
    if (list.dataset.shown === shown) return;
    list.dataset.shown = shown;
    fillWith(list, ...answer.body.map(toItem));
  }

  function toItem({ id, at, change, by }: ScheduledAnswer): HTMLElement {
    const time = showTime(at, desk);
    const remove = el('button', {
      ...{ type: 'button', className: 'small', textContent: texts.scheduleCancel },
      attributes: { 'aria-label': `${texts.scheduleRemove}: ${time}` },
      onclick: () => void cancel(id, time),
    });
    return el(
      'li',
      { className: 'row between' },
      el(
        'span',
        {},
        el('strong', { className: 'number', textContent: time }),
        ` ${describeChange(change as Record<string, unknown>, undefined, desk)} `,
        el('span', { className: 'soft', textContent: fill(texts.scheduleBy, { by }) }),
      ),
      needs('operator', remove),
    );
  }

  async function cancel(id: string, time: string): Promise<void> {
    const title = fill(texts.scheduleRemoveQuestion, { time });
    if (!(await desk.confirm({ title, body: '', yes: texts.scheduleRemove }))) return;
    const answer = await api.delete(`${address}/${id}`);
    desk.say(answer.ok ? texts.done : refusalText(desk, answer), answer.ok ? 'good' : 'bad');
    await load();
  }

  return {
    root: section('scheduled', texts.scheduledChanges, note, list, needs('operator', addForm(desk, address, load))),
    update() {
      if (performance.now() >= loadedAt + EVERY_MS) void load();
    },
  };
}

function addForm(desk: Desk, address: string, onAdded: () => Promise<void>): HTMLElement {
  const { texts, api } = desk;
  const at = el('input', { type: 'datetime-local', step: '1' });
  const what = select(
    KINDS.map((kind) => [kind, texts[`schedule_${kind}` as keyof AdminTexts]]),
    'limit',
  );
  const value = el('input', { type: 'number', min: '0', step: 'any', inputMode: 'decimal', autocomplete: 'off' });
  const atField = createField({ id: 'schedule-at', label: texts.scheduleAt, input: at });
  const whatField = createField({ id: 'schedule-what', label: texts.scheduleWhat, input: what });
  const valueField = createField({ id: 'schedule-value', label: texts.scheduleValue, input: value });
  const fields = new Map([
    ['at', atField],
    ['change.maxActive', valueField],
    ['change.admitPerSecond', valueField],
    ['maxActive', valueField],
    ['admitPerSecond', valueField],
  ]);
  const form = el('form', { id: 'schedule-add', className: 'fields', noValidate: true });
  form.append(
    atField.root,
    whatField.root,
    valueField.root,
    el('button', { type: 'submit', textContent: texts.scheduleAdd }),
  );
  const isNumber = () => what.value === 'limit' || what.value === 'rate';
  what.addEventListener('change', () => {
    valueField.root.hidden = !isNumber();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    atField.setProblem(at.value === '' ? texts.required : undefined);
    valueField.setProblem(isNumber() && value.value.trim() === '' ? texts.notANumber : undefined);
    if (at.value === '' || (isNumber() && value.value.trim() === '')) return;
    const change = toChange(what.value as Kind, Number(value.value));
    const answer = await api.post(address, { at: new Date(at.value).toISOString(), change });
    const others = showProblems(fields, answer.ok ? [] : answer.fields);
    if (!answer.ok)
      return answer.fields.length > others.length ? undefined : desk.say(others[0] ?? refusalText(desk, answer), 'bad');
    value.value = '';
    desk.say(texts.scheduleAdded);
    await onAdded();
  });
  return form;
}

function toChange(kind: Kind, value: number) {
  if (kind === 'limit') return { maxActive: value };
  return kind === 'rate' ? { admitPerSecond: value } : { state: kind };
}

/** The clock alone for today. */
function showTime(iso: string, { language }: Desk): string {
  const time = new Date(iso);
  if (time.toDateString() !== new Date().toDateString()) return formatMoment(iso, language);
  return time.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
}
