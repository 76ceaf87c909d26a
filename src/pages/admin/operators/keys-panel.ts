/** Service keys: their role, expiry and last use; a new one is shown once. */
import { formatMoment } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import { retryUntilOk } from '../api/retry-until-ok.ts';
import type { ServiceKey } from '../api/wire.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { type Child, el } from '../controls/dom.ts';
import { createField, showProblems, textInput } from '../controls/field.ts';
import { section } from '../controls/panel.ts';
import { listTable } from './list-table.ts';
import { roleField } from './role-select.ts';

const KEYS = '/api/admin/service-keys';

export function keysPanel(desk: Desk): HTMLElement {
  const { texts, api, language } = desk;
  const head = [texts.keyName, texts.role, texts.keyExpires, texts.keyLastUse, texts.keyCreatedBy];
  const table = listTable('keys', texts.keys, head, texts.operatorsNobody);
  const about = el('p', { className: 'about', textContent: texts.keysAbout });
  const root = section('keys-panel', texts.keys, about, table.root, createKeyForm(desk, load));
  root.classList.add('wide');

  async function load(): Promise<void> {
    const send = () => api.get<ServiceKey[]>(KEYS);
    const keys = await retryUntilOk(send, root, (refusal) => desk.say(refusalText(desk, refusal), 'bad'));
    table.show(keys.map(toCells));
  }

  function toCells({ name, role, expiresAt, expired, lastUsedAt, lastUsedFrom, createdBy }: ServiceKey): Child[] {
    const moment = (at: string) => formatMoment(at, language);
    const until = expiresAt === undefined ? texts.keyNever : expired ? texts.keyExpired : moment(expiresAt);
    const used = lastUsedAt === undefined ? texts.keyUnused : `${moment(lastUsedAt)} · ${lastUsedFrom}`;
    const revoke = el('button', { type: 'button', textContent: texts.keyRevoke, onclick: () => void revokeKey(name) });
    return [
      el('code', { textContent: name }),
      texts[`role_${role}`],
      until,
      used,
      createdBy === undefined ? texts.keySetting : createdBy.replace(/^oidc:/, ''),
      createdBy !== undefined && revoke,
    ];
  }

  async function revokeKey(name: string): Promise<void> {
    const title = fill(texts.keyRevokeQuestion, { name });
    const question = { title, body: texts.keyRevokeWarning, yes: texts.keyRevoke, isDangerous: true };
    if (!(await desk.confirm(question))) return;
    const answer = await api.delete(`${KEYS}/${name}`);
    desk.say(answer.ok ? texts.done : refusalText(desk, answer), answer.ok ? 'good' : 'bad');
    await load();
  }
  void load();
  return root;
}

function createKeyForm(desk: Desk, onCreated: () => Promise<void>): HTMLElement {
  const { texts, api } = desk;
  const nameInput = textInput('', { maxLength: 40, spellcheck: false, autocapitalize: 'none' });
  const name = createField({ id: 'key-name', label: texts.keyName, about: texts.keyNameAbout, input: nameInput });
  const role = roleField(desk, 'key-role');
  const daysInput = el('input', { type: 'number', min: '1', inputMode: 'numeric', autocomplete: 'off', value: '90' });
  const days = createField({ id: 'key-days', label: texts.keyDays, about: texts.keyDaysAbout, input: daysInput });
  const token = textInput('', { readOnly: true, spellcheck: false });
  token.addEventListener('focus', () => token.select());
  const tokenField = createField({ id: 'key-token', label: texts.keyCreated, input: token });
  tokenField.root.hidden = true;
  tokenField.root.classList.add('once');
  const form = el('form', { id: 'create-key', className: 'fields', noValidate: true });
  form.append(name.root, role.root, days.root, el('button', { type: 'submit', textContent: texts.keyCreate }));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const wanted = { name: nameInput.value.trim(), role: role.input.value };
    const limited = daysInput.value.trim() === '' ? {} : { days: Number(daysInput.value) };
    const answer = await api.post<{ token: string }>(KEYS, { ...wanted, ...limited });
    const fields = new Map([
      ['name', name],
      ['days', days],
    ]);
    const others = showProblems(fields, answer.ok ? [] : answer.fields);
    if (!answer.ok) {
      if (answer.fields.length === 0) name.setProblem(refusalText(desk, answer));
      return void (others[0] && desk.say(others[0], 'bad'));
    }
    tokenField.root.querySelector('label')!.textContent = fill(texts.keyCreated, wanted);
    token.value = answer.body.token;
    tokenField.root.hidden = false;
    nameInput.value = '';
    token.focus();
    await onCreated();
  });
  return el('div', {}, form, tokenField.root);
}
