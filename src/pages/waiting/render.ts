/** Renders a view. Sets only what changed, because screen readers announce every assignment. */
import { facts } from '../design/browser.ts';
import type { Language } from '../texts/language.ts';
import type { Action, View } from './page-view.ts';

export type Labels = Record<Action, string>;

export interface PageTexts {
  language: Language;
  brand: string;
  otherLanguage: string;
  progressLabel: string;
  labels: Labels;
}

export const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

export function render(view: View, texts: PageTexts, act: (action: Action) => void): void {
  document.documentElement.lang = texts.language;
  document.title = view.documentTitle;
  showBrand(texts.brand);
  setText('language', texts.otherLanguage);
  element('language').hidden = false;
  setText('title', view.title);
  show('subtitle', view.subtitle);
  element('place').hidden = view.number === undefined;
  if (view.number !== undefined) {
    setText('number-label', view.number.label);
    setText('number', view.number.value);
  }
  showProgress(view.progress, texts.progressLabel);
  setText('say', view.say);
  element('say').className = `say ${view.tone}`;
  show('hint', view.hint);
  showLink(view.link);
  showNotes(view.notes);
  showRows(view.rows);
  showActions(view, texts.labels, act);
}

function setText(id: string, text: string): void {
  if (element(id).textContent !== text) element(id).textContent = text;
}

function show(id: string, text: string | undefined): void {
  element(id).hidden = text === undefined;
  if (text !== undefined) setText(id, text);
}

function showLink(link: View['link']): void {
  const place = element<HTMLAnchorElement>('link');
  show('link', link?.label);
  if (link !== undefined) place.href = link.href;
}

function showBrand(name: string): void {
  const brand = element('brand');
  if (facts.logo === undefined) setText('brand', name);
  else if (brand.firstElementChild === null) brand.append(create('img', { src: facts.logo, alt: name }));
}

function showProgress(progress: number | undefined, label: string): void {
  const bar = element<HTMLProgressElement>('progress');
  bar.hidden = progress === undefined;
  if (progress !== undefined) bar.value = progress;
  bar.ariaLabel = label;
}

function showNotes(notes: readonly string[]): void {
  const old = Array.from(element('notes').children, (note) => note.textContent);
  if (old.join('\n') === notes.join('\n')) return;
  element('notes').replaceChildren(...notes.map((text) => create('p', { className: 'note', textContent: text })));
}

function showRows(rows: View['rows']): void {
  const list = element('rows');
  const ids = Array.from(list.querySelectorAll('dd'), ({ id }) => id);
  if (ids.join() !== rows.map(({ id }) => id).join()) {
    list.replaceChildren(...rows.map(({ id }) => createRow(id)));
  }
  for (const { id, label, value } of rows) {
    setText(`${id}-label`, label);
    setText(id, value);
  }
}

function createRow(id: string): HTMLElement {
  const row = create('div', {});
  row.append(create('dt', { id: `${id}-label` }), create('dd', { id }));
  return row;
}

/** Reuses existing buttons to keep the focus. */
function showActions({ actions, joinLabel }: View, labels: Labels, act: (action: Action) => void): void {
  const box = element('actions');
  for (const button of Array.from(box.children)) if (!actions.includes(button.id as Action)) button.remove();
  for (const action of actions) {
    if (document.getElementById(action) === null) {
      const button = create('button', { id: action, type: 'button' });
      if (action === 'enter' || action === 'join') button.className = 'main';
      button.addEventListener('click', () => act(action));
      box.append(button);
    }
    setText(action, action === 'join' ? joinLabel : labels[action]);
  }
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  fields: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), fields);
}
