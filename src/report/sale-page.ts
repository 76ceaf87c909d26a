/** The HTML report of a simulated sale, or of two in comparison. */
import type { Recommendation } from '../simulate/recommend.ts';
import { toSentences } from './advice.ts';
import { escapeHtml } from './format.ts';
import { type Cell, renderPage, renderTable } from './page.ts';
import { type NamedSale, renderSaleCharts } from './sale-charts.ts';
import { type Figure, toFigures } from './sale-figures.ts';
import { type Language, words } from './words.ts';

export interface ReportedSale extends NamedSale {
  advice: Recommendation;
  /** Option values as typed on the command line. */
  settings: Readonly<Record<string, string>>;
}

export interface SalePage {
  language: Language;
  version: string;
  seed: string;
  sales: readonly [ReportedSale] | readonly [ReportedSale, ReportedSale];
}

const KEYS = ['key-a', 'key-b'] as const;

export function renderSalePage({ language, version, seed, sales }: SalePage): string {
  const say = words[language];
  const title = sales.length === 1 ? say.simulatedTitle : say.comparedTitle;
  return renderPage({
    language,
    title,
    sections: [
      `<h1>${escapeHtml(title)}</h1><p class="soft">${escapeHtml(say.simulatedIntro)}</p>`,
      renderTiles(sales, language),
      ...sales.map((sale, i) => renderAdvice(sale, i, language)),
      renderSaleCharts(sales, language),
      renderFigures(sales, language),
      renderSettings(sales, language),
    ],
    footer: say.footer(version, seed),
  });
}

export function renderTiles(sales: readonly NamedSale[], language: Language): string {
  const [first, second] = sales.map(({ summary }) => toFigures(summary, language));
  const tiles = first!.flatMap((figure) => {
    if (!figure.isMain) return [];
    const other = second?.find(({ name }) => name === figure.name);
    const values =
      second === undefined
        ? `<strong>${escapeHtml(figure.value)}</strong>`
        : `<strong class="key-a">${escapeHtml(figure.value)}</strong><strong class="key-b">${escapeHtml(other?.value ?? '')}</strong>`;
    return [`<li><span>${escapeHtml(figure.name)}</span>${values}</li>`];
  });
  return `<ul class="tiles">${tiles.join('')}</ul>`;
}

function renderAdvice({ name, advice, summary }: ReportedSale, index: number, language: Language): string {
  const tone = advice.verdict === 'fits' ? ' good' : advice.verdict === 'too-low' ? ' bad' : '';
  const title = words[language].advice + (name === '' ? '' : `: ${name}`);
  const sentences = toSentences(advice, summary, language).map(escapeHtml).join(' ');
  const heading = `<h2${name === '' ? '' : ` class="${KEYS[index]}"`}>${escapeHtml(title)}</h2>`;
  return `<div class="advice${tone}">${heading}<p>${sentences}</p></div>`;
}

export function renderFigures(sales: readonly NamedSale[], language: Language): string {
  const say = words[language];
  const columns = sales.map(({ summary }) => toFigures(summary, language));
  const names = [...new Set(columns.flat().map(({ name }) => name))];
  const valueIn = (figures: readonly Figure[], name: string) => figures.find((one) => one.name === name)?.value ?? '';
  const rows = names.map((name) => [
    { text: name },
    ...columns.map((figures) => ({ text: valueIn(figures, name), isNumber: true })),
  ]);
  return renderTable(say.figures, headOf(say.figure, sales), rows);
}

function renderSettings(sales: readonly ReportedSale[], language: Language): string {
  const names = [...new Set(sales.flatMap(({ settings }) => Object.keys(settings)))];
  const rows = names.map((name) => [
    { text: `--${name}` },
    ...sales.map(({ settings }) => ({ text: settings[name] ?? '', isNumber: true })),
  ]);
  return renderTable(words[language].settings, headOf(words[language].setting, sales), rows);
}

function headOf(first: string, sales: readonly NamedSale[]): Cell[] {
  return [
    { text: first },
    ...sales.map(({ name }, i) => ({ text: name, isNumber: true, ...(name === '' ? {} : { tone: KEYS[i]! }) })),
  ];
}
