/** A table of operators or keys, with a note when there is none. */
import { type Child, el, fillWith } from '../controls/dom.ts';

export interface ListTable {
  root: HTMLElement;
  /** The cells of each row. */
  show(rows: Child[][]): void;
}

/** `label`: for screen readers; the table scrolls where it is wider than the screen. */
export function listTable(id: string, label: string, head: readonly string[], empty: string): ListTable {
  const rows = el('tbody');
  const none = el('p', { className: 'about', textContent: empty, hidden: true });
  const heads = head.map((textContent) => el('th', { scope: 'col', textContent }));
  const table = el(
    'div',
    { className: 'scroll', tabIndex: 0, hidden: true, attributes: { role: 'group', 'aria-label': label } },
    el('table', { id, className: 'operator-table' }, el('thead', {}, el('tr', {}, ...heads, el('td'))), rows),
  );
  return {
    root: el('div', {}, none, table),
    show(list) {
      none.hidden = list.length > 0;
      table.hidden = list.length === 0;
      fillWith(rows, ...list.map((cells) => el('tr', {}, ...cells.map((cell, i) => el('td', labelOf(head[i]), cell)))));
    },
  };
}

/** On a phone, where rows are stacked, each cell shows the head of its column. */
function labelOf(label: string | undefined) {
  return label === undefined ? {} : { attributes: { 'data-label': label } };
}
