/** The waiting page without JavaScript: the view as HTML, forms for its actions, and a timed reload. */
import type { Language } from '../texts/language.ts';
import type { View } from '../waiting/page-view.ts';
import { toIconLink } from './icons.ts';

export interface PlainForm {
  action: string;
  label: string;
  main: boolean;
}

export interface PlainPage {
  view: View;
  language: Language;
  brand: string;
  logo: string | undefined;
  style: string;
  forms: PlainForm[];
  /** Seconds until the page reloads; undefined if nothing can change without the visitor. */
  reloadSeconds: number | undefined;
}

export function toPlainHtml({ view, language, brand, logo, style, forms, reloadSeconds }: PlainPage): string {
  const { number, rows, notes, subtitle, hint, link } = view;
  const parts = [
    `<header><span class="brand">${logo === undefined ? escapeHtml(brand) : `<img src="${logo}" alt="${escapeHtml(brand)}">`}</span></header>`,
    `<h1>${escapeHtml(view.title)}</h1>`,
    subtitle === undefined ? '' : `<p class="subtitle">${escapeHtml(subtitle)}</p>`,
    number === undefined
      ? ''
      : `<div class="place"><p class="number"><span>${escapeHtml(number.label)}</span><strong id="number">${number.value}</strong></p></div>`,
    `<p id="say" class="say ${view.tone}">${escapeHtml(view.say)}</p>`,
    ...notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`),
    forms.length === 0 ? '' : `<div class="actions">${forms.map(toForm).join('')}</div>`,
    `<dl>${rows.map(({ id, label, value }) => `<div><dt>${escapeHtml(label)}</dt><dd id="${id}">${escapeHtml(value)}</dd></div>`).join('')}</dl>`,
    hint === undefined ? '' : `<p class="hint">${escapeHtml(hint)}</p>`,
    link === undefined ? '' : `<a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a>`,
  ];
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `${reloadSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${reloadSeconds}">`}` +
    `<title>${escapeHtml(view.documentTitle)}</title>${toIconLink(logo)}<style>${style}</style></head>` +
    `<body><main>${parts.join('')}</main></body></html>`
  );
}

function toForm({ action, label, main }: PlainForm): string {
  return `<form method="post" action="${escapeHtml(action)}"><button type="submit"${main ? ' class="main"' : ''}>${escapeHtml(label)}</button></form>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
