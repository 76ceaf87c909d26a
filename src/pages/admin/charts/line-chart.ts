/** A line chart with a time axis, markers and a crosshair; its values are text in the legend. */
import { fill } from '../../texts/language.ts';
import type { Column, History } from '../api/wire.ts';
import type { Desk } from '../controls/desk.ts';
import { draw, el, fillWith, setText } from '../controls/dom.ts';
import { ticksOf, toPath, topOf } from './chart-path.ts';

export interface Line {
  label: string;
  values: (history: History) => Column;
  show: (value: number | null) => string;
}

export interface ChartOptions {
  id: string;
  title: string;
  lines: readonly Line[];
  /** Called with the time under the pointer; undefined when it leaves. */
  onPoint: (time: number | undefined) => void;
}

export interface Drawing {
  history: History;
  from: number;
  to: number;
  /** When settings changed. */
  marks: readonly number[];
}

export interface Chart {
  root: HTMLElement;
  update(drawing: Drawing): void;
  /** Shows the values of a point; undefined: the latest, without a crosshair. */
  point(index: number | undefined): void;
}

const WIDTH = 600;
const HEIGHT = 150;

export function createLineChart({ id, title, lines, onPoint }: ChartOptions, desk: Desk): Chart {
  const { texts } = desk;
  const paths = lines.map((_, i) => draw('path', { class: `line line-${i}`, d: '' }));
  const marks = draw('path', { class: 'mark', d: '' });
  const cross = draw('path', { class: 'cross', d: '' });
  const grid = [0, 0.5, 1].map((share) => draw('path', { class: 'grid', d: `M0 ${share * HEIGHT}H${WIDTH}` }));
  const picture = draw(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': title },
    ...grid,
    marks,
    ...paths,
    cross,
  );
  const values = lines.map(() => el('strong', { textContent: texts.unknown }));
  const legend = lines.map(({ label }, i) =>
    el('span', { className: `legend line-${i}` }, lines.length > 1 && `${label} `, values[i]!),
  );
  const top = el('span', { className: 'top' });
  const half = el('span', { className: 'half' });
  const noValues = el('span', { className: 'no-values', textContent: texts.chartNoValues, hidden: true });
  const axis = el('div', { className: 'time-axis', attributes: { 'aria-hidden': 'true' } });
  const plot = el('div', { className: 'plot' }, top, half, noValues);
  plot.append(picture);
  let shown: Drawing | undefined;

  plot.addEventListener('pointermove', (event) => {
    if (shown === undefined) return;
    const { left, width } = plot.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    onPoint(shown.from + share * (shown.to - shown.from));
  });
  plot.addEventListener('pointerleave', () => onPoint(undefined));
  const toX = (time: number, { from, to }: Drawing) => Math.round(((time - from) / (to - from)) * WIDTH * 10) / 10;

  return {
    root: el(
      'figure',
      { id, className: 'chart' },
      el('figcaption', {}, el('span', { className: 'chart-title', textContent: title }), ...legend),
      plot,
      axis,
    ),
    update(drawing) {
      shown = drawing;
      const { history, from, to } = drawing;
      const columns = lines.map((line) => line.values(history));
      const inView = columns.map((column) => column.filter((_, i) => history.at[i]! >= from));
      const frame = { from, to, top: topOf(inView), width: WIDTH, height: HEIGHT };
      columns.forEach((column, i) => {
        paths[i]!.setAttribute('d', toPath(history.at, column, frame));
      });
      const seen = drawing.marks.filter((time) => time >= from && time <= to);
      marks.setAttribute('d', seen.map((time) => `M${toX(time, drawing)} 0V${HEIGHT}`).join(''));
      const isEmpty = inView.every((column) => column.every((value) => value === null));
      noValues.hidden = !isEmpty;
      setText(top, isEmpty ? '' : lines[0]!.show(frame.top));
      // Half a person is no mark of an axis.
      setText(half, isEmpty || frame.top < 2 ? '' : lines[0]!.show(frame.top / 2));
      showAxis(axis, drawing, desk);
    },
    point(index) {
      if (shown === undefined) return;
      const { history } = shown;
      const at = index ?? history.at.length - 1;
      lines.forEach((line, i) => {
        setText(values[i]!, line.show(line.values(history)[at] ?? null));
      });
      const time = history.at[at];
      cross.setAttribute('d', index === undefined || time === undefined ? '' : `M${toX(time, shown)} 0V${HEIGHT}`);
      if (index !== undefined) return;
      const said = lines.map(({ label }, i) => `${label} ${values[i]!.textContent}`).join(', ');
      picture.setAttribute('aria-label', fill(texts.chartSays, { title, values: said }));
    },
  };
}

function showAxis(axis: HTMLElement, { from, to }: Drawing, desk: Desk): void {
  const zoneMs = -new Date(to).getTimezoneOffset() * 60_000;
  // Labels at the ends would be cut off.
  const margin = (to - from) / 10;
  const ticks = ticksOf({ from, to }, zoneMs).filter((time) => time - from > margin && to - time > margin);
  const shown = `${ticks.join()} ${from}`;
  if (axis.dataset.ticks === shown) return;
  axis.dataset.ticks = shown;
  const toTick = (time: number) => {
    const tick = el('span', { textContent: showClock(time, desk, to - from < 180_000) });
    // By the CSSOM: the page allows no style attributes.
    tick.style.insetInlineStart = `${((time - from) / (to - from)) * 100}%`;
    return tick;
  };
  fillWith(axis, ...ticks.map(toTick));
}

export function showClock(time: number, { language }: Pick<Desk, 'language'>, withSeconds = false): string {
  return new Date(time).toLocaleTimeString(language, {
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' } : {}),
    hourCycle: 'h23',
  });
}
