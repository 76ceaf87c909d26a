/** A confirmation dialog; irreversible actions require typing a word. */
import type { AdminTexts } from '../../texts/en.ts';
import { fill } from '../../texts/language.ts';
import { type Child, el } from './dom.ts';

export interface Question {
  title: string;
  /** The consequences, as text or elements. */
  body: Child;
  yes: string;
  /** The word to type before confirming. */
  word?: string;
  isDangerous?: boolean;
}

export function confirm(
  { title, body, yes, word, isDangerous = false }: Question,
  texts: AdminTexts,
): Promise<boolean> {
  return new Promise((resolve) => {
    const go = el('button', { type: 'submit', className: isDangerous ? 'danger' : 'main', textContent: yes });
    const back = el('button', { type: 'button', textContent: texts.cancel, onclick: () => dialog.close() });
    const form = el('form', { method: 'dialog', onsubmit: () => dialog.close('yes') });
    form.append(
      el('h2', { id: 'question-title', textContent: title }),
      el('div', { className: 'question-body' }, body ?? ''),
      ...(word === undefined ? [] : [wordField(word, go, texts)]),
      el('div', { className: 'actions' }, go, back),
    );
    const dialog = el('dialog', { attributes: { 'aria-labelledby': 'question-title' } }, form);
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function wordField(word: string, go: HTMLButtonElement, texts: AdminTexts): HTMLElement {
  go.disabled = true;
  const input = el('input', { id: 'question-word', autocomplete: 'off', spellcheck: false });
  input.addEventListener('input', () => {
    go.disabled = input.value !== word;
  });
  return el(
    'div',
    { className: 'field' },
    el('label', { htmlFor: input.id, textContent: fill(texts.typeToConfirm, { word }) }),
    input,
  );
}
