/** Charts of a room: the last minutes, the last hour or the whole sale, with a crosshair and where settings changed. */
import { formatCount } from '../../texts/format.ts';
import { noHistory } from '../api/history.ts';
import type { AuditEntry, History, Span } from '../api/wire.ts';
import { auditKinds } from '../audit/audit-kinds.ts';
import { nearestTo, spanOf } from '../charts/chart-path.ts';
import { changeList, chartTable, csvButton, spanTabs, timeCursor } from '../charts/chart-tools.ts';
import { type Chart, createLineChart, type Line } from '../charts/line-chart.ts';
import type { Desk } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { type Panel, section } from '../controls/panel.ts';
import { showRate, showSeconds } from '../controls/show-values.ts';

export interface ChartsPanel extends Panel {
  span(): Span;
  /** The audit trail of the room, newest first: changes of settings become markers. */
  mark(entries: readonly AuditEntry[]): void;
}

const HOUR_MS = 3_600_000;
const LENGTHS: Record<Span, number> = { live: HOUR_MS / 4, hour: HOUR_MS, sale: Number.POSITIVE_INFINITY };
const SHOWN_CHANGES = 8;

export function chartsPanel(desk: Desk, eventId: string): ChartsPanel {
  const { texts } = desk;
  let span: Span = 'live';
  let history: History = noHistory;
  let changes: AuditEntry[] = [];
  /** The time that the reader points at; undefined: the latest. */
  let time: number | undefined;
  const groups = chartGroups(desk);
  const charts = groups.map(({ id, title, lines }) => createLineChart({ id, title, lines, onPoint }, desk));
  const cursor = timeCursor(desk, groups, (index) => onPoint(index === undefined ? undefined : history.at[index]));
  const list = changeList(desk);
  const table = chartTable(desk, groups);
  const tabs = spanTabs(desk, (chosen) => {
    span = chosen;
    history = noHistory;
    time = undefined;
    desk.refresh();
  });

  function onPoint(at: number | undefined): void {
    time = at;
    showCursor();
  }

  function showCursor(): void {
    if (history.at.length === 0) return;
    const index = time === undefined ? undefined : nearestTo(history.at, time);
    cursor.show(history, index);
    for (const chart of charts) chart.point(index);
  }

  function showAll(): void {
    if (history.at.length === 0) return;
    const { from, to } = spanOf(history.at, LENGTHS[span]);
    const marks = changes.map(({ at }) => Date.parse(at));
    for (const chart of charts) chart.update({ history, from, to, marks });
    const seen = changes.filter(({ at }) => Date.parse(at) >= from);
    list.show(seen.slice(0, SHOWN_CHANGES));
    table.update(history, from);
    showCursor();
  }

  const root = section(
    'charts',
    texts.chartsTitle,
    el(
      'div',
      { className: 'row between' },
      tabs,
      csvButton(desk, () => ({ history, name: `${eventId}-${span}.csv` })),
    ),
    cursor.root,
    el('div', { className: 'charts' }, ...charts.map((chart: Chart) => chart.root)),
    el('h3', { textContent: texts.chartChanges }),
    list.root,
    table.root,
    el('p', { className: 'about', textContent: texts.spanAbout }),
  );
  root.classList.add('beside');
  return {
    root,
    span: () => span,
    mark(entries) {
      changes = entries.filter(({ action }) => (auditKinds.room as readonly string[]).includes(action));
      showAll();
    },
    update(_room, overview) {
      history = overview.history ?? noHistory;
      showAll();
    },
  };
}

function chartGroups(desk: Desk): { id: string; title: string; lines: Line[] }[] {
  const { texts, language } = desk;
  const count = (value: number | null) => (value === null ? texts.unknown : formatCount(value, language));
  const rate = (value: number | null) => showRate(value, desk);
  const seconds = (value: number | null) => showSeconds(value, desk);
  const line = (label: string, show: Line['show'], values: Line['values']): Line => ({ label, show, values });
  return [
    { id: 'chart-waiting', title: texts.waiting, lines: [line(texts.waiting, count, (h) => h.waiting)] },
    {
      ...{ id: 'chart-inside', title: texts.insideOfLimit },
      lines: [line(texts.inside, count, (h) => h.inside), line(texts.limit, count, (h) => h.limit)],
    },
    {
      ...{ id: 'chart-rate', title: texts.rate },
      lines: [
        line(texts.rate, rate, (h) => h.admittedPerSecond),
        line(texts.allowedRate, rate, (h) => h.allowedPerSecond),
      ],
    },
    {
      ...{ id: 'chart-wait', title: texts.wait },
      lines: [line(texts.waitMiddle, seconds, (h) => h.waitMiddle), line(texts.waitLast, seconds, (h) => h.waitLast)],
    },
    { id: 'chart-no-shows', title: texts.noShows, lines: [line(texts.noShows, rate, (h) => h.noShowsPerMinute)] },
  ];
}
