/** A form for a room setting that consists of several numbers. Empty fields switch it off. */
import { type Desk, refusalText } from '../../controls/desk.ts';
import { el } from '../../controls/dom.ts';
import { createField, type Field } from '../../controls/field.ts';

export interface NumberField {
  name: string;
  label: string;
}

export interface ObjectForm {
  root: HTMLElement;
  /** Shows the current values, unless the operator is typing. */
  update(values: Readonly<Record<string, number>> | undefined): void;
}

/** `setting`: the name of the room setting; `about`: what the form says above its fields. */
export function objectForm(desk: Desk, eventId: string, setting: string, numbers: readonly NumberField[]): ObjectForm {
  const { texts, api, say } = desk;
  const fields: Field[] = numbers.map(({ name, label }) =>
    createField({
      id: `${setting}-${name}`,
      label,
      input: el('input', { type: 'number', min: '0', step: 'any', inputMode: 'decimal', autocomplete: 'off' }),
    }),
  );
  let isTouched = false;
  const off = el('button', { id: `${setting}-off`, type: 'button', textContent: texts.switchOff });
  const save = el('button', { id: `${setting}-save`, type: 'submit', className: 'main', textContent: texts.save });
  const form = el('form', { noValidate: true });
  form.append(...fields.map(({ root }) => root), el('div', { className: 'actions' }, save, off));
  form.addEventListener('input', () => {
    isTouched = true;
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    for (const field of fields) field.setProblem(field.input.value.trim() === '' ? texts.notANumber : undefined);
    if (fields.some(({ input }) => input.value.trim() === '')) return;
    await put(Object.fromEntries(numbers.map(({ name }, i) => [name, Number(fields[i]!.input.value)])));
  });
  off.addEventListener('click', () => put(null));

  async function put(value: Record<string, number> | null): Promise<void> {
    const answer = await api.put(`/api/admin/rooms/${eventId}`, { [setting]: value });
    if (answer.ok) isTouched = false;
    const problem = answer.ok ? undefined : answer.fields[0];
    const at = numbers.findIndex(({ name }) => problem?.field.endsWith(name));
    if (at !== -1) fields[at]!.setProblem(problem!.message);
    say(answer.ok ? texts.saved : (problem?.message ?? refusalText(desk, answer)), answer.ok ? 'good' : 'bad');
    desk.refresh();
  }

  return {
    root: form,
    update(values) {
      off.hidden = values === undefined;
      if (isTouched || form.contains(document.activeElement)) return;
      numbers.forEach(({ name }, i) => {
        fields[i]!.input.value = values?.[name] === undefined ? '' : String(values[name]);
      });
    },
  };
}
