/** Charts of the last 15 minutes of a room. */
import { formatCount } from '../../texts/format.ts';
import { createLineChart } from '../charts/line-chart.ts';
import type { Desk } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import { type Panel, section } from '../controls/panel.ts';
import { showRate, showSeconds } from '../controls/show-values.ts';

export function chartsPanel(desk: Desk): Panel {
  const { texts, language } = desk;
  const count = (value: number | null) => (value === null ? texts.unknown : formatCount(value, language));
  const rate = (value: number | null) => showRate(value, desk);
  const seconds = (value: number | null) => showSeconds(value, desk);
  const charts = [
    createLineChart(
      'chart-waiting',
      texts.waiting,
      [{ label: texts.waiting, values: (h) => h.waiting, show: count }],
      desk,
    ),
    createLineChart(
      'chart-inside',
      texts.insideOfLimit,
      [
        { label: texts.inside, values: (h) => h.inside, show: count },
        { label: texts.limit, values: (h) => h.limit, show: count },
      ],
      desk,
    ),
    createLineChart(
      'chart-rate',
      texts.rate,
      [
        { label: texts.rate, values: (h) => h.admittedPerSecond, show: rate },
        { label: texts.allowedRate, values: (h) => h.allowedPerSecond, show: rate },
      ],
      desk,
    ),
    createLineChart(
      'chart-wait',
      texts.wait,
      [
        { label: texts.waitMiddle, values: (h) => h.waitMiddle, show: seconds },
        { label: texts.waitLast, values: (h) => h.waitLast, show: seconds },
      ],
      desk,
    ),
    createLineChart(
      'chart-no-shows',
      texts.noShows,
      [{ label: texts.noShows, values: (h) => h.noShowsPerMinute, show: rate }],
      desk,
    ),
  ];
  const root = section(
    'charts',
    texts.charts,
    el('div', { className: 'charts' }, ...charts.map((chart) => chart.root)),
  );
  root.classList.add('beside');
  return {
    root,
    update(_room, { history }) {
      if (history !== undefined) for (const chart of charts) chart.update(history);
    },
  };
}
