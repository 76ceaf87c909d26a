/** The HTML frame of a report: one self-contained file, light and dark, for phone, desktop and print. */
import { escapeHtml } from './format.ts';
import type { Language } from './words.ts';

export interface Page {
  language: Language;
  title: string;
  /** HTML, in order. */
  sections: readonly string[];
  footer: string;
}

const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--card:#f5f6f8;--ink:#1b1f24;--soft:#59626d;--rule:#d9dde3;--a:#1f5fbf;--b:#b8480f;--good:#17703a;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ground:#14171b;--card:#1d2127;--ink:#e8eaed;--soft:#a3adb8;--rule:#353b44;--a:#82b1ff;--b:#ffa061;--good:#6fd394;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,"Noto Sans KR","Apple SD Gothic Neo","Malgun Gothic",sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem}
h2{font-size:1.1rem;margin:0}
p{margin:.25rem 0 .75rem}
.soft,figcaption p,footer{color:var(--soft)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;margin:1.25rem 0;padding:0;list-style:none}
.tiles li{background:var(--card);border-radius:.5rem;padding:.75rem 1rem}
.tiles span{display:block;color:var(--soft);font-size:.85rem}
.tiles strong{display:block;font-size:1.35rem;line-height:1.3;font-weight:600;font-variant-numeric:tabular-nums}
.tiles .b{font-size:1.05rem}
.advice{border-left:.25rem solid var(--a);background:var(--card);border-radius:0 .5rem .5rem 0;padding:.75rem 1rem;margin:1rem 0}
.advice p:last-child{margin-bottom:0}
.advice.bad{border-color:var(--bad)}.advice.good{border-color:var(--good)}
figure{margin:2rem 0}
figcaption p{font-size:.9rem}
svg.chart{display:block;width:100%;height:auto;overflow:visible}
svg.narrow{display:none}
@media (max-width:40rem){svg.wide{display:none}svg.narrow{display:block}}
.grid{stroke:var(--rule);stroke-width:1}
.line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.a{stroke:var(--a)}.b{stroke:var(--b)}.plain{stroke:var(--soft)}
.dashed{stroke-dasharray:5 5;stroke-width:1.75}
.mark{stroke-width:1;stroke-dasharray:2 3}
.hint{fill:transparent;stroke:none}.hint:hover{fill:var(--ink);fill-opacity:.08}
text{fill:var(--soft);font-size:12px;font-family:inherit;stroke:none}
text.label{fill:var(--ink)}text.end{text-anchor:end}text.middle{text-anchor:middle}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:.25rem 0;font-size:.9rem}
.legend svg{vertical-align:middle;margin-right:.4rem}
.key-a,.key-b{font-weight:600}.key-a{color:var(--a)}.key-b{color:var(--b)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--rule);vertical-align:top}
td.number,th.number{text-align:right}
.pass{color:var(--good);font-weight:600}.miss{color:var(--bad);font-weight:600}
section{margin:2rem 0}
footer{font-size:.85rem;margin-top:2.5rem}
@media print{body{font-size:12px}figure,section{break-inside:avoid}}
`;

export function renderPage({ language, title, sections, footer }: Page): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${sections.join('\n')}
<footer><p>${escapeHtml(footer)}</p></footer>
</main>
</body>
</html>
`;
}

export interface Cell {
  text: string;
  isNumber?: boolean;
  tone?: 'pass' | 'miss' | 'key-a' | 'key-b';
}

export function renderTable(title: string, head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  const cell = (name: 'th' | 'td') => (value: Cell) => {
    const classes = [value.isNumber ? 'number' : '', value.tone ?? ''].join(' ').trim();
    return `<${name}${classes === '' ? '' : ` class="${classes}"`}>${escapeHtml(value.text)}</${name}>`;
  };
  const body = rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n');
  return `<section><h2>${escapeHtml(title)}</h2><div class="scroll"><table><thead><tr>${head
    .map(cell('th'))
    .join('')}</tr></thead><tbody>${body}</tbody></table></div></section>`;
}
