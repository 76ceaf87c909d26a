/** What surrounds the charts of a room: period, cursor, list of changes, table and CSV. */
import type { AdminTexts } from '../../texts/en.ts';
import { fill } from '../../texts/language.ts';
import type { AuditEntry, History, Span } from '../api/wire.ts';
import { toSentence } from '../audit/audit-sentence.ts';
import type { Desk } from '../controls/desk.ts';
import { el, fillWith, setText } from '../controls/dom.ts';
import { type Line, showClock } from './line-chart.ts';
import { toCsv } from './to-csv.ts';

const TABLE_ROWS = 60;

export function spanTabs({ texts }: Desk, onChoose: (span: Span) => void): HTMLElement {
  const names: Span[] = ['live', 'hour', 'sale'];
  const buttons = names.map((name) =>
    el('button', {
      type: 'button',
      className: 'small',
      id: `span-${name}`,
      textContent: texts[`span_${name}` as keyof AdminTexts],
      attributes: { 'aria-pressed': String(name === 'live') },
      onclick() {
        for (const [i, button] of buttons.entries()) button.setAttribute('aria-pressed', String(names[i] === name));
        onChoose(name);
      },
    }),
  );
  return el('div', { className: 'row', attributes: { role: 'group', 'aria-label': texts.chartSpan } }, ...buttons);
}

export function csvButton({ texts }: Desk, read: () => { history: History; name: string }): HTMLElement {
  return el('button', {
    id: 'download-csv',
    type: 'button',
    className: 'small',
    textContent: texts.downloadCsv,
    onclick() {
      const { history, name } = read();
      const href = URL.createObjectURL(new Blob([toCsv(history)], { type: 'text/csv' }));
      el('a', { href, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(href), 1_000);
    },
  });
}

/** A slider over all points: the crosshair by keyboard. `onPoint` gets the index; undefined when it is left. */
export function timeCursor(
  desk: Desk,
  groups: readonly { lines: Line[] }[],
  onPoint: (index: number | undefined) => void,
) {
  const { texts } = desk;
  const slider = el('input', { id: 'chart-time', className: 'chart-slider', type: 'range', min: '0', step: '1' });
  const time = el('span', { className: 'number' });
  slider.addEventListener('input', () => onPoint(Number(slider.value)));
  slider.addEventListener('blur', () => onPoint(undefined));
  return {
    root: el(
      'div',
      { className: 'chart-cursor' },
      el('label', { htmlFor: 'chart-time', textContent: texts.chartTime }),
      slider,
      time,
    ),
    show(history: History, index: number | undefined) {
      const last = history.at.length - 1;
      const shown = index ?? last;
      slider.max = String(last);
      slider.value = String(shown);
      const clock = showClock(history.at[shown]!, desk, true);
      setText(time, fill(index === undefined ? texts.chartNow : texts.chartAt, { time: clock }));
      const said = groups.flatMap(({ lines }) =>
        lines.map((line) => `${line.label} ${line.show(line.values(history)[shown] ?? null)}`),
      );
      slider.setAttribute('aria-valuetext', `${clock}: ${said.join(', ')}`);
    },
  };
}

/** What the markers are, newest first. */
export function changeList(desk: Desk): { root: HTMLElement; show(entries: readonly AuditEntry[]): void } {
  const root = el('ul', { className: 'changes' });
  const toItem = (entry: AuditEntry) => {
    const clock = el('span', { className: 'number', textContent: showClock(Date.parse(entry.at), desk, true) });
    return el('li', {}, clock, ` ${toSentence(entry, desk)}`);
  };
  return {
    root,
    show(entries) {
      const shown = entries.map(({ at }) => at).join();
      if (root.dataset.shown === shown) return;
      root.dataset.shown = shown;
      const none = el('li', { textContent: desk.texts.chartNoChanges });
      fillWith(root, ...(entries.length > 0 ? entries.map(toItem) : [none]));
    },
  };
}

/** The same values for screen readers and for copying; at most so many rows, newest first. */
export function chartTable(desk: Desk, groups: readonly { lines: Line[] }[]) {
  const { texts } = desk;
  const lines = groups.flatMap((group) => group.lines);
  const rows = el('tbody');
  const head = [texts.scheduleAt, ...lines.map(({ label }) => label)];
  const root = el(
    'details',
    { id: 'chart-table' },
    el('summary', { textContent: texts.chartTable }),
    el(
      'div',
      { className: 'table-frame tall', tabIndex: 0, attributes: { role: 'group', 'aria-label': texts.chartTable } },
      el(
        'table',
        {},
        el('thead', {}, el('tr', {}, ...head.map((textContent) => el('th', { scope: 'col', textContent })))),
        rows,
      ),
    ),
  );
  return {
    root,
    update(history: History, from: number) {
      if (!root.open) return;
      const seen = [...history.at.keys()].filter((i) => history.at[i]! >= from);
      const step = Math.ceil(seen.length / TABLE_ROWS);
      const kept = seen.filter((_, i) => (seen.length - 1 - i) % step === 0).reverse();
      if (rows.dataset.newest === String(history.at[kept[0]!])) return;
      rows.dataset.newest = String(history.at[kept[0]!]);
      const toRow = (i: number) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row', textContent: showClock(history.at[i]!, desk, true) }),
          ...lines.map((line) =>
            el('td', { className: 'number', textContent: line.show(line.values(history)[i] ?? null) }),
          ),
        );
      fillWith(rows, ...kept.map(toRow));
    },
  };
}
