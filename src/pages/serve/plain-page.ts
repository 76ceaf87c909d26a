/** The waiting page without JavaScript: the view as HTML, forms for its actions, and a timed reload. */
import type { Organiser } from '../design/organiser.ts';
import type { VisitorLanguage } from '../texts/language.ts';
import type { QuestionTexts } from '../texts/questions-en.ts';
import { BANNERS, hasQuestions, type Row, type View } from '../waiting/page-view.ts';
import { toAnswers, toContact } from '../waiting/questions.ts';
import { toIconLink, toMark } from './icons.ts';

export interface PlainForm {
  action: string;
  label: string;
  main: boolean;
}

export interface PlainPage {
  view: View;
  language: VisitorLanguage;
  brand: string;
  logo: string | undefined;
  style: string;
  forms: PlainForm[];
  questions: QuestionTexts;
  organiser: Organiser;
  /** Seconds until the page reloads; undefined if nothing can change without the visitor. */
  reloadSeconds: number | undefined;
}

export function toPlainHtml(page: PlainPage): string {
  const { view, language, brand, logo, style, reloadSeconds } = page;
  const name = logo === undefined ? escapeHtml(brand) : `<img src="${logo}" alt="${escapeHtml(brand)}">`;
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `${reloadSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${reloadSeconds}">`}` +
    `<title>${escapeHtml(view.documentTitle)}</title>${toIconLink(logo)}<style>${style}</style></head>` +
    `<body${view.isTurn ? ' class="turn"' : ''}><header><span class="brand">${toMark(logo)}${name}</span></header>` +
    `<main>${toEvent(view, brand)}<div class="ticket">${toTicket(page)}</div>` +
    `${hasQuestions(view) ? toQuestions(page) : ''}</main></body></html>`
  );
}

function toEvent({ eyebrow, title, subtitle, posterOf }: View, brand: string): string {
  const initial = escapeHtml(Array.from(posterOf === undefined ? brand : title)[0] ?? '');
  return (
    `<div class="event"><div class="poster"><span aria-hidden="true">${initial}</span></div><div class="about">` +
    `${eyebrow === undefined ? '' : `<p class="eyebrow">${escapeHtml(eyebrow)}</p>`}<h1>${escapeHtml(title)}</h1>` +
    `${subtitle === undefined ? '' : `<p class="subtitle">${escapeHtml(subtitle)}</p>`}</div></div>`
  );
}

function toTicket({ view, forms }: PlainPage): string {
  const { say, notes, hint, link, reminder, number } = view;
  const main = forms.filter((form) => form.main);
  const quiet = forms.filter((form) => !form.main);
  const title = say.title === undefined ? '' : `<strong>${escapeHtml(say.title)}</strong>`;
  return [
    toHero(view),
    toRows('facts', view.facts),
    `<div id="say" class="${BANNERS[say.kind]}"><p>${title}<span>${escapeHtml(say.text)}</span></p></div>`,
    ...notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`),
    main.length === 0 ? '' : `<div class="actions">${main.map(toForm).join('')}</div>`,
    link === undefined && reminder === undefined ? '' : `<p class="links">${toLink(link)}${toReminder(reminder)}</p>`,
    toRows('rows', view.rows),
    hint === undefined ? '' : `<p class="hint">${escapeHtml(hint)}</p>`,
    '<div class="foot">',
    number === undefined
      ? ''
      : `<p class="place"><span>${escapeHtml(number.label)}</span> <strong id="number">${number.value}</strong></p>`,
    `${quiet.map(toForm).join('')}</div>`,
  ].join('');
}

function toHero({ hero, progress }: View): string {
  if (hero === undefined) return '';
  const unit = hero.unit === '' ? '' : `<small>${escapeHtml(hero.unit)}</small>`;
  const bar = progress === undefined ? '' : `<progress max="1" value="${progress}"></progress>`;
  return (
    `<div class="hero"><p>${escapeHtml(hero.label)}</p>` +
    `<p class="figure"><strong id="${hero.id}">${escapeHtml(hero.value)}${unit}</strong></p>${bar}</div>`
  );
}

function toRows(name: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const items = rows.map(
    ({ id, label, value }) => `<div><dt>${escapeHtml(label)}</dt><dd id="${id}">${escapeHtml(value)}</dd></div>`,
  );
  return `<dl class="${name}">${items.join('')}</dl>`;
}

function toLink(link: View['link']): string {
  return link === undefined ? '' : `<a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a>`;
}

function toReminder(reminder: View['reminder']): string {
  if (reminder === undefined) return '';
  return `<a href="${escapeHtml(reminder.href)}" download="fairline.ics">${escapeHtml(reminder.label)}</a>`;
}

function toQuestions({ questions, view, organiser, language }: PlainPage): string {
  const contact = toContact(organiser, language);
  const answers = toAnswers(questions, { keeps: view.hint, contact, refund: view.refund }).map(
    ({ question, answer }) =>
      `<details><summary>${escapeHtml(question)}</summary><p>${escapeHtml(answer)}</p></details>`,
  );
  return `<section class="questions"><h2>${escapeHtml(questions.title)}</h2><div>${answers.join('')}</div></section>`;
}

function toForm({ action, label, main }: PlainForm): string {
  const kind = main ? 'main' : 'plain small';
  return `<form method="post" action="${escapeHtml(action)}"><button type="submit" class="${kind}">${escapeHtml(label)}</button></form>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
