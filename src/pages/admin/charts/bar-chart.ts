/** A bar chart, with its numbers in a table for screen readers and for copying. */
import { fill } from '../../texts/language.ts';
import type { Desk } from '../controls/desk.ts';
import { draw, el, fillWith, setText } from '../controls/dom.ts';
import { toBars } from './bar-shapes.ts';

export interface Series {
  label: string;
  show: (value: number) => string;
}

export interface BarGroup {
  label: string;
  /** One value per series. */
  values: number[];
}

export interface BarChart {
  root: HTMLElement;
  update(groups: readonly BarGroup[]): void;
}

const WIDTH = 600;
const HEIGHT = 150;

/** `unit`: the column heading of the groups, such as "Day". */
export function createBarChart(
  id: string,
  title: string,
  unit: string,
  series: readonly Series[],
  { texts }: Desk,
): BarChart {
  const picture = draw('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': title,
  });
  const sums = series.map(() => el('strong', { textContent: texts.unknown }));
  const legend = series.map(({ label }, i) =>
    el('span', { className: `legend bar-${i}` }, series.length > 1 && `${label} `, sums[i]!),
  );
  const [top, first, last] = [el('span', { className: 'top' }), el('span'), el('span')];
  const rows = el('tbody');
  const head = [unit, ...series.map(({ label }) => label)];
  const root = el(
    'figure',
    { id, className: 'chart' },
    el('figcaption', {}, el('span', { className: 'chart-title', textContent: title }), ...legend),
    el('div', { className: 'plot' }, top),
    el('div', { className: 'axis' }, first, last),
    el(
      'details',
      {},
      el('summary', { textContent: texts.numbers }),
      el(
        'div',
        { className: 'scroll numbers', tabIndex: 0, attributes: { role: 'group', 'aria-label': title } },
        el(
          'table',
          {},
          el('thead', {}, el('tr', {}, ...head.map((textContent) => el('th', { scope: 'col', textContent })))),
          rows,
        ),
      ),
    ),
  );
  root.querySelector('.plot')!.append(picture);
  let shown = '';

  function toRow({ label, values }: BarGroup): HTMLElement {
    const cells = values.map((value, i) => el('td', { textContent: series[i]!.show(value) }));
    return el('tr', {}, el('th', { scope: 'row', textContent: label }), ...cells);
  }

  return {
    root,
    update(groups) {
      const text = JSON.stringify(groups);
      if (text === shown) return;
      shown = text;
      const { bars, top: most } = toBars(
        groups.map(({ values }) => values),
        { width: WIDTH, height: HEIGHT },
      );
      fillWith(
        picture,
        ...[0, 0.5, 1].map((share) => draw('path', { class: 'grid', d: `M0 ${share * HEIGHT}H${WIDTH}` })),
        ...bars.map(({ series: i, ...shape }) => draw('rect', { class: `bar bar-${i}`, ...shape })),
      );
      series.forEach(({ show }, i) => {
        setText(sums[i]!, show(groups.reduce((sum, { values }) => sum + values[i]!, 0)));
      });
      setText(top, series[0]!.show(most));
      setText(first, groups[0]?.label ?? '');
      setText(last, groups.length > 1 ? groups.at(-1)!.label : '');
      const said = series.map(({ label }, i) => `${label} ${sums[i]!.textContent}`).join(', ');
      picture.setAttribute('aria-label', fill(texts.chartSays, { title, values: said }));
      fillWith(rows, ...groups.map(toRow).reverse());
    },
  };
}
