/** Renders a view. Sets only what changed, because screen readers announce every assignment. */
import { facts } from '../design/browser.ts';
import { languageNames, type VisitorLanguage } from '../texts/language.ts';
import type { QuestionTexts } from '../texts/questions-en.ts';
import { type Action, BANNERS, hasQuestions, type Row, type View } from './page-view.ts';
import { toAnswers, toContact } from './questions.ts';

export type Labels = Record<Action, string>;

export interface PageTexts {
  language: VisitorLanguage;
  brand: string;
  progressLabel: string;
  labels: Labels;
  /** Without them the page has no questions. */
  questions?: QuestionTexts;
}

export const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

export function render(view: View, texts: PageTexts, act: (action: Action) => void): void {
  document.documentElement.lang = texts.language;
  document.title = view.documentTitle;
  document.body.classList.toggle('turn', view.isTurn);
  showBrand(texts.brand);
  showLanguages(texts.language);
  showEvent(view, texts.brand);
  showHero(view, texts.progressLabel);
  showRows('wait', view.facts);
  // Until the place is known their room is kept, so that nothing moves when it is.
  const isPending = view.updated === undefined && !hasEnded(view);
  element('wait').hidden = view.facts.length === 0 && !isPending;
  element('hero').hidden = view.hero === undefined && !isPending;
  showSaying(view);
  // Keeps its line, so that nothing moves when the first news arrives.
  setText('updated', view.updated ?? '\u00a0');
  element('updated').hidden = view.updated === undefined && !isPending;
  showNotes(view.notes);
  showLink('link', view.link);
  showLink('reminder', view.reminder);
  showRows('rows', view.rows);
  show('hint', view.hint);
  element('place').hidden = view.number === undefined;
  if (view.number !== undefined) {
    setText('number-label', view.number.label);
    setText('number', view.number.value);
  }
  showActions(view, texts.labels, act);
  showQuestions(view, texts);
}

export function setText(id: string, text: string): void {
  if (element(id).textContent !== text) element(id).textContent = text;
}

function show(id: string, text: string | undefined): void {
  element(id).hidden = text === undefined;
  if (text !== undefined) setText(id, text);
}

function showLink(id: string, link: View['link']): void {
  const place = element<HTMLAnchorElement>(id);
  show(id, link?.label);
  if (link !== undefined && place.getAttribute('href') !== link.href) place.href = link.href;
}

function showBrand(name: string): void {
  const brand = element('brand');
  if (facts.logo === undefined) setText('brand', name);
  else if (brand.firstElementChild === null) brand.append(create('img', { src: facts.logo, alt: name }));
}

function showLanguages(language: VisitorLanguage): void {
  const choice = element<HTMLSelectElement>('language');
  if (choice.options.length === 0) {
    choice.append(...Object.entries(languageNames).map(([code, name]) => new Option(name, code)));
  }
  choice.value = language;
  choice.hidden = false;
}

/** Without a poster, the tile shows the first letter of the title. */
function showEvent({ eyebrow, title, subtitle, posterOf }: View, brand: string): void {
  setText('eyebrow', eyebrow ?? '\u00a0');
  setText('title', title);
  setText('subtitle', subtitle ?? '\u00a0');
  setText('initial', Array.from(posterOf === undefined ? brand : title)[0] ?? '');
  const poster = element<HTMLImageElement>('poster');
  if (posterOf === undefined || poster.hasAttribute('src')) return;
  poster.onload = () => {
    poster.hidden = false;
  };
  poster.src = `/posters/${posterOf}?size=card`;
}

function hasEnded({ isTurn, say, actions }: View): boolean {
  return isTurn || say.kind === 'closed' || actions.length > 0;
}

function showHero({ hero, progress }: View, progressLabel: string): void {
  setText('hero-label', hero?.label ?? '\u00a0');
  const figure = element('figure');
  if (hero === undefined) setText('figure', '\u00a0');
  else if (figure.firstElementChild?.id !== hero.id) {
    const value = create('strong', { id: hero.id });
    // A countdown is not announced by the second; the page announces the last moments itself.
    if (hero.id !== 'ahead') value.setAttribute('role', 'timer');
    figure.replaceChildren(value);
  }
  if (hero !== undefined) showFigure(hero.id, hero.value, hero.unit);
  const bar = element<HTMLProgressElement>('progress');
  bar.hidden = progress === undefined;
  if (progress !== undefined) bar.value = progress;
  bar.ariaLabel = progressLabel;
}

function showFigure(id: string, value: string, unit: string): void {
  if (element(id).textContent === value + unit) return;
  element(id).textContent = value;
  if (unit !== '') element(id).append(create('small', { textContent: unit }));
}

function showSaying({ say }: View): void {
  const box = element('say');
  if (box.className !== BANNERS[say.kind]) box.className = BANNERS[say.kind];
  show('say-title', say.title);
  setText('say-text', say.text);
}

function showNotes(notes: readonly string[]): void {
  const old = Array.from(element('notes').children, (note) => note.textContent);
  if (old.join('\n') === notes.join('\n')) return;
  element('notes').replaceChildren(...notes.map((text) => create('p', { className: 'note', textContent: text })));
}

function showRows(listId: string, rows: readonly Row[]): void {
  const list = element(listId);
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

/** Reuses existing buttons to keep the focus. Leaving is apart, and quiet. */
function showActions({ actions, joinLabel }: View, labels: Labels, act: (action: Action) => void): void {
  for (const button of Array.from(document.querySelectorAll('#actions > *, #quiet > *'))) {
    if (!actions.includes(button.id as Action)) button.remove();
  }
  for (const action of actions) {
    if (document.getElementById(action) === null) {
      const button = create('button', { id: action, type: 'button' });
      if (action === 'enter' || action === 'join') button.className = 'main';
      if (action === 'leave') button.className = 'plain small';
      button.addEventListener('click', () => act(action));
      element(action === 'leave' ? 'quiet' : 'actions').append(button);
    }
    setText(action, action === 'join' ? joinLabel : labels[action]);
  }
}

function showQuestions(view: View, { questions: texts, language }: PageTexts): void {
  element('questions').hidden = texts === undefined || !hasQuestions(view);
  if (texts === undefined) return;
  setText('questions-title', texts.title);
  const box = element('answers');
  const contact = toContact(facts.organiser, language);
  const answers = toAnswers(texts, { keeps: view.hint, contact, refund: view.refund });
  if (box.children.length !== answers.length) {
    box.replaceChildren(
      ...answers.map(() => {
        const details = create('details', {});
        details.append(create('summary', {}), create('p', {}));
        return details;
      }),
    );
  }
  for (const [index, { question, answer }] of answers.entries()) {
    const [summary, text] = Array.from(box.children[index]!.children);
    if (summary!.textContent !== question) summary!.textContent = question;
    if (text!.textContent !== answer) text!.textContent = answer;
  }
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  fields: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), fields);
}
