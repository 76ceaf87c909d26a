/** A line chart with its current values as text. */
import { fill } from '../../texts/language.ts';
import type { Column, History } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { draw, el, setText } from '../controls/dom.ts';
import { spanOf, toPath, topOf } from './chart-path.ts';

export interface Line {
  label: string;
  values: (history: History) => Column;
  show: (value: number | null) => string;
}

export interface Chart {
  root: HTMLElement;
  update(history: History): void;
}

const WIDTH = 600;
const HEIGHT = 150;

export function createLineChart(id: string, title: string, lines: readonly Line[], desk: Desk): Chart {
  const { texts } = desk;
  const paths = lines.map((_, i) => draw('path', { class: `line line-${i}`, d: '' }));
  const grid = [0, 0.5, 1].map((share) =>
    draw('path', { class: 'grid', d: `M0 ${share * HEIGHT}H${WIDTH}`, 'aria-hidden': 'true' }),
  );
  const picture = draw(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': title },
    ...grid,
    ...paths,
  );
  const values = lines.map(() => el('strong', { textContent: texts.unknown }));
  const legend = lines.map(({ label }, i) =>
    el('span', { className: `legend line-${i}` }, lines.length > 1 && `${label} `, values[i]!),
  );
  const top = el('span', { className: 'top' });
  const start = el('span');
  const root = el(
    'figure',
    { id, className: 'chart' },
    el('figcaption', {}, el('span', { className: 'chart-title', textContent: title }), ...legend),
    el('div', { className: 'plot' }, top),
    el('div', { className: 'axis' }, start, el('span', { textContent: texts.now })),
  );
  root.querySelector('.plot')!.append(picture);
  return {
    root,
    update(history) {
      if (history.at.length === 0) return;
      const columns = lines.map((line) => line.values(history));
      const frame = { ...spanOf(history.at), top: topOf(columns), width: WIDTH, height: HEIGHT };
      columns.forEach((column, i) => {
        paths[i]!.setAttribute('d', toPath(history.at, column, frame));
        setText(values[i]!, lines[i]!.show(column.at(-1) ?? null));
      });
      setText(top, lines[0]!.show(frame.top));
      const minutes = Math.round((frame.to - frame.from) / 60_000);
      setText(start, fill(texts.minutesAgo, { count: minutes }));
      const said = lines.map(({ label }, i) => `${label} ${values[i]!.textContent}`).join(', ');
      picture.setAttribute('aria-label', fill(texts.chartSays, { title, values: said }));
    },
  };
}
