/**
 * Renders a line chart as two SVGs, wide for desktops and narrow for phones, where a scaled wide one would be unreadable.
 * The style sheet shows one of them.
 */
import { escapeHtml } from './format.ts';

export interface Series {
  name: string;
  tone: 'a' | 'b' | 'plain';
  isDashed?: boolean;
  /** Sorted by x; an undefined y leaves a gap. */
  points: readonly { x: number; y: number | undefined }[];
}

export interface Chart {
  title: string;
  /** Caption. */
  about: string;
  series: readonly Series[];
  formatX: (x: number) => string;
  formatY: (y: number) => string;
  /** Preferred tick intervals, in the unit of x. */
  xSteps: readonly number[];
  ySteps?: readonly number[];
  yTop?: number;
  marks?: readonly { x: number; label: string; tone: Series['tone'] }[];
}

interface Size {
  name: 'wide' | 'narrow';
  width: number;
  height: number;
  left: number;
  ticks: number;
}

const SIZES: readonly Size[] = [
  { name: 'wide', width: 760, height: 280, left: 64, ticks: 8 },
  { name: 'narrow', width: 340, height: 230, left: 52, ticks: 4 },
];
const TOP = 22;
const RIGHT = 14;
const BOTTOM = 26;
/** Number of hover tooltips per chart. */
const HINTS = 40;

export function renderChart(chart: Chart): string {
  const legend = chart.series.length > 1 ? renderLegend(chart.series) : '';
  const pictures = SIZES.map((size) => renderSize(chart, size)).join('');
  return `<figure><figcaption><h2>${escapeHtml(chart.title)}</h2><p>${escapeHtml(chart.about)}</p></figcaption>${legend}${pictures}</figure>`;
}

function renderLegend(series: readonly Series[]): string {
  const items = series.map(
    ({ name, tone, isDashed }) =>
      `<li><svg width="28" height="10" aria-hidden="true"><line x1="1" x2="27" y1="5" y2="5" class="line ${tone}${isDashed ? ' dashed' : ''}"/></svg>${escapeHtml(name)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

function renderSize(chart: Chart, size: Size): string {
  const { width, height, left, ticks } = size;
  const points = chart.series.flatMap((series) => series.points);
  const xTop = Math.max(1, ...points.map(({ x }) => x));
  const yStep = roundStep((chart.yTop ?? Math.max(1, ...points.map(({ y }) => y ?? 0))) / 4, chart.ySteps);
  const yTop = chart.yTop ?? Math.ceil(Math.max(1, ...points.map(({ y }) => y ?? 0)) / yStep) * yStep;
  const xStep = roundStep(xTop / ticks, chart.xSteps);
  const toX = (x: number) => round(left + (x / xTop) * (width - left - RIGHT));
  const toY = (y: number) => round(height - BOTTOM - (y / yTop) * (height - TOP - BOTTOM));
  const parts = [
    ...steps(yTop, yStep).map(
      (y) =>
        `<line class="grid" x1="${left}" x2="${width - RIGHT}" y1="${toY(y)}" y2="${toY(y)}"/>` +
        `<text class="tick end" x="${left - 6}" y="${toY(y) + 4}">${escapeHtml(chart.formatY(y))}</text>`,
    ),
    ...steps(xTop, xStep).map(
      (x) => `<text class="tick middle" x="${toX(x)}" y="${height - 8}">${escapeHtml(chart.formatX(x))}</text>`,
    ),
    ...chart.series.map((series) => renderLine(series, toX, toY)),
    ...(chart.marks ?? []).map((mark, i) => renderMark(mark, toX(mark.x), { ...size, row: i })),
    ...renderHints(chart, toX, height),
  ];
  const label = escapeHtml(`${chart.title}. ${chart.about}`);
  return `<svg class="chart ${size.name}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${parts.join('')}</svg>`;
}

function renderLine({ points, tone, isDashed }: Series, toX: Scale, toY: Scale): string {
  let path = '';
  let isOpen = false;
  for (const { x, y } of points) {
    if (y !== undefined) path += `${isOpen ? 'L' : 'M'}${toX(x)} ${toY(y)}`;
    isOpen = y !== undefined;
  }
  // A single point is drawn as a line of length 0, which round line caps turn into a dot.
  const isAlone = points.filter(({ y }) => y !== undefined).length === 1;
  return `<path class="line ${tone}${isDashed ? ' dashed' : ''}" d="${path}${isAlone ? 'h0' : ''}"/>`;
}

type Scale = (value: number) => number;

function renderMark(
  { label, tone }: { label: string; tone: Series['tone'] },
  x: number,
  { width, height, row }: Size & { row: number },
): string {
  const isRight = x > width / 2;
  const y = 12 + (row % 2) * 14;
  return (
    `<line class="mark ${tone}" x1="${x}" x2="${x}" y1="${y + 4}" y2="${height - BOTTOM}"/>` +
    `<text class="label ${isRight ? 'end' : ''}" x="${isRight ? x - 5 : x + 5}" y="${y}">${escapeHtml(label)}</text>`
  );
}

/** Vertical strips with a tooltip of the values. */
function renderHints({ series, formatX, formatY }: Chart, toX: Scale, height: number): string[] {
  const guide = series.reduce((most, one) => (one.points.length > most.points.length ? one : most), series[0]!);
  const step = Math.max(1, Math.ceil(guide.points.length / HINTS));
  const chosen = guide.points.filter((_, i) => i % step === 0);
  return chosen.map(({ x }, i) => {
    const until = toX(chosen[i + 1]?.x ?? x);
    const lines = series.flatMap(({ name, points }) => {
      const y = points.findLast((point) => point.x <= x)?.y;
      return y === undefined ? [] : [`${name}: ${formatY(y)}`];
    });
    const title = escapeHtml([formatX(x), ...lines].join('\n'));
    const width = round(Math.max(2, until - toX(x)));
    return `<rect class="hint" x="${toX(x)}" y="${TOP}" width="${width}" height="${height - TOP - BOTTOM}"><title>${title}</title></rect>`;
  });
}

function steps(top: number, step: number): number[] {
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => i * step);
}

/** The smallest round step of at least `least`. */
function roundStep(least: number, choices: readonly number[] | undefined): number {
  const chosen = choices?.find((step) => step >= least);
  if (chosen !== undefined) return chosen;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999)!;
}

const round = (value: number): number => Math.round(value * 10) / 10;
