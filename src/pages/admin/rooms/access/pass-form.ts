/** Creates a staff link and shows it once. */
import { type Desk, refusalText } from '../../controls/desk.ts';
import { el } from '../../controls/dom.ts';
import { createField, textInput } from '../../controls/field.ts';

const DEFAULT_MINUTES = '60';

export function passForm(desk: Desk, address: string, onCreated: () => Promise<void>): HTMLElement {
  const { texts, api } = desk;
  const name = textInput('', { maxLength: 60 });
  const minutes = el('input', { type: 'number', min: '1', inputMode: 'numeric', autocomplete: 'off' });
  minutes.value = DEFAULT_MINUTES;
  const nameField = createField({ id: 'pass-name', label: texts.passName, input: name });
  const minutesField = createField({ id: 'pass-minutes', label: texts.passMinutes, input: minutes });
  const link = textInput('', { readOnly: true });
  link.addEventListener('focus', () => link.select());
  const linkField = createField({ id: 'pass-link', label: texts.passLink, input: link });
  linkField.root.hidden = true;
  const form = el('form', { id: 'pass-create', className: 'fields', noValidate: true });
  form.append(nameField.root, minutesField.root, el('button', { type: 'submit', textContent: texts.passCreate }));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await api.post<{ path: string }>(`${address}/passes`, {
      name: name.value.trim(),
      minutes: Number(minutes.value),
    });
    const problem = answer.ok ? undefined : (answer.fields[0]?.message ?? refusalText(desk, answer));
    nameField.setProblem(problem);
    if (!answer.ok) return name.focus();
    link.value = `${location.origin}${answer.body.path}`;
    linkField.root.hidden = false;
    link.focus();
    await onCreated();
  });
  return el('div', {}, el('h3', { textContent: texts.passCreateTitle }), form, linkField.root);
}
