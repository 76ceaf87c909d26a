/** Who passes a room without waiting, who is kept out, who alone may join; and staff links. */
import type { AccessAnswer } from '../../../../gate/access/http/access-answer.ts';
import type { AdminTexts } from '../../../texts/en.ts';
import { formatMoment } from '../../../texts/format.ts';
import { fill } from '../../../texts/language.ts';
import { type Desk, refusalText } from '../../controls/desk.ts';
import { el, fillWith, setText } from '../../controls/dom.ts';
import { createField, select, textInput } from '../../controls/field.ts';
import { needs } from '../../controls/needs.ts';
import { type Panel, section } from '../../controls/panel.ts';
import { passForm } from './pass-form.ts';

const EVERY_MS = 5_000;
const EFFECTS = ['bypass', 'block', 'allow-only', 'ban'] as const;

export function accessPanel(desk: Desk, eventId: string): Panel {
  const { texts, api, language } = desk;
  const address = `/api/admin/rooms/${eventId}`;
  const rows = el('tbody');
  const note = el('p', { className: 'about', textContent: texts.loading });
  const head = [texts.accessEffect, texts.accessWho, texts.accessUntil, texts.accessNote];
  const table = el(
    'div',
    { className: 'scroll', tabIndex: 0, hidden: true, attributes: { role: 'group', 'aria-label': texts.access } },
    el(
      'table',
      { id: 'access-entries' },
      el('thead', {}, el('tr', {}, ...head.map((textContent) => el('th', { scope: 'col', textContent })), el('td'))),
      rows,
    ),
  );
  let loadedAt = Number.NEGATIVE_INFINITY;

  async function load(): Promise<void> {
    loadedAt = performance.now();
    const answer = await api.get<AccessAnswer[]>(`${address}/access`);
    if (!answer.ok) return setText(note, refusalText(desk, answer));
    setText(note, answer.body.length === 0 ? texts.accessEmpty : texts.accessAbout);
    table.hidden = answer.body.length === 0;
    const shown = JSON.stringify(answer.body);
    if (rows.dataset.shown === shown) return;
    rows.dataset.shown = shown;
    fillWith(rows, ...answer.body.map(toRow));
  }

  function toRow(entry: AccessAnswer): HTMLElement {
    const who = whoOf(entry) + (entry.everywhere ? ` (${texts.accessEverywhere})` : '');
    const isOver = entry.isRevoked === true || entry.group === 'eject';
    const remove = el('button', {
      type: 'button',
      textContent: texts.accessRemove,
      onclick: () => void removeEntry(entry, who),
    });
    const until = entry.expiresAt === undefined ? texts.accessForever : formatMoment(entry.expiresAt, language);
    return el(
      'tr',
      {},
      el('td', { textContent: texts[`effect_${entry.effect ?? entry.group}` as keyof AdminTexts] }),
      el('td', {}, el('code', { textContent: who })),
      el('td', { className: 'nowrap', textContent: until }),
      el('td', { textContent: entry.about ?? '' }),
      el('td', {}, !isOver && needs('operator', remove)),
    );
  }

  async function removeEntry({ id, group }: AccessAnswer, who: string): Promise<void> {
    const title = fill(texts.accessRemoveQuestion, { who });
    if (!(await desk.confirm({ title, body: texts.accessRemoveWarning, yes: texts.accessRemove }))) return;
    const kind = group === 'pass' || group === 'link' ? 'passes' : 'access';
    const answer = await api.delete(`${address}/${kind}/${id}`);
    desk.say(answer.ok ? texts.done : refusalText(desk, answer), answer.ok ? 'good' : 'bad');
    await load();
  }

  const root = section(
    'access',
    texts.access,
    note,
    table,
    needs('operator', addForm(desk, address, load)),
    needs('operator', passForm(desk, address, load)),
  );
  root.classList.add('wide');
  return {
    root,
    update() {
      if (performance.now() >= loadedAt + EVERY_MS) void load();
    },
  };
}

function whoOf({ addresses, header, cookie, methods, paths, crawler, visitor, name, id }: AccessAnswer): string {
  const parts = [
    visitor,
    addresses?.join(', '),
    header && `${header}: …`,
    cookie && `Cookie ${cookie}=…`,
    crawler?.join(', '),
    methods?.join(', '),
    paths?.join(', '),
    name,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' + ') || id;
}

function addForm(desk: Desk, address: string, onAdded: () => Promise<void>): HTMLElement {
  const { texts, api, say } = desk;
  const effect = select(
    EFFECTS.map((name) => [name, texts[`effect_${name}`]]),
    'bypass',
  );
  const addresses = textInput('', { maxLength: 2_000, spellcheck: false });
  const minutes = el('input', { type: 'number', min: '1', inputMode: 'numeric', autocomplete: 'off' });
  const about = textInput('', { maxLength: 200 });
  const effectField = createField({ id: 'access-effect', label: texts.accessEffect, input: effect });
  const field = createField({
    ...{ id: 'access-addresses', label: texts.accessAddresses, input: addresses },
    about: texts.accessAddressesAbout,
  });
  const minutesField = createField({ id: 'access-minutes', label: texts.accessMinutes, input: minutes });
  const aboutField = createField({ id: 'access-about', label: texts.accessNote, input: about });
  const form = el('form', { id: 'access-add', className: 'fields', noValidate: true });
  const button = el('button', { type: 'submit', textContent: texts.accessAdd });
  form.append(effectField.root, field.root, minutesField.root, aboutField.root, button);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const body = {
      addresses: addresses.value.split(/[\s,]+/).filter(Boolean),
      ...(minutes.value === '' ? {} : { minutes: Number(minutes.value) }),
      ...(about.value === '' ? {} : { about: about.value }),
    };
    const isBan = effect.value === 'ban';
    const answer = isBan
      ? await api.post(`${address}/bans`, body)
      : await api.post(`${address}/access`, { effect: effect.value, ...body });
    field.setProblem(answer.ok ? undefined : (answer.fields[0]?.message ?? refusalText(desk, answer)));
    if (!answer.ok) return addresses.focus();
    for (const input of [addresses, minutes, about]) input.value = '';
    say(texts.accessAdded);
    await onAdded();
  });
  return el('div', {}, el('h3', { textContent: texts.accessAddTitle }), form);
}
