/** A small line without axes: how many waited in the last minutes. */

import { formatCount } from '../../texts/format.ts';
import { fill } from '../../texts/language.ts';
import type { Desk } from '../controls/desk.ts';
import { draw } from '../controls/dom.ts';
import { toPath, topOf } from './chart-path.ts';

const WIDTH = 120;
const HEIGHT = 32;

export function sparkline({ texts, language }: Desk): { root: SVGElement; update(values: readonly number[]): void } {
  const line = draw('path', { class: 'line', d: '' });
  const area = draw('path', { class: 'area', d: '' });
  const root = draw(
    'svg',
    { class: 'sparkline', viewBox: `0 -2 ${WIDTH} ${HEIGHT + 4}`, preserveAspectRatio: 'none', role: 'img' },
    area,
    line,
  );
  let shown: string | undefined;
  return {
    root,
    update(values) {
      if (values.join() === shown) return;
      shown = values.join();
      const frame = { from: 0, to: Math.max(1, values.length - 1), top: topOf([values]), width: WIDTH, height: HEIGHT };
      const path = toPath([...values.keys()], values, frame);
      line.setAttribute('d', path);
      area.setAttribute('d', values.length > 1 ? `${path}V${HEIGHT}H0Z` : '');
      const [first, last, most] = [values[0] ?? 0, values.at(-1) ?? 0, Math.max(0, ...values)];
      const said = { first, last, most };
      const counts = Object.fromEntries(
        Object.entries(said).map(([name, count]) => [name, formatCount(count, language)]),
      );
      root.setAttribute('aria-label', fill(texts.trendSays, counts));
    },
  };
}
