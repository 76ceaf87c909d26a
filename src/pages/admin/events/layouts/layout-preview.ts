/** A small drawing of a layout with a text summary. */
import type { LayoutBody } from '../../../../shop/rules/layout.ts';
import { formatCount } from '../../../texts/format.ts';
import { fill } from '../../../texts/language.ts';
import type { Desk } from '../../controls/desk.ts';
import { draw, el } from '../../controls/dom.ts';
import { countSeats, toBlocks } from './layout-blocks.ts';

const WIDTH = 240;
const STAGE_HEIGHT = 20;
const MARGIN = 10;

type Drawable = Pick<LayoutBody, 'sections' | 'standing'>;

export function layoutPreview(layout: Drawable, { texts, language }: Pick<Desk, 'texts' | 'language'>): HTMLElement {
  const { height, blocks } = toBlocks(layout, WIDTH);
  const says = fill(texts.previewSays, {
    seats: formatCount(countSeats(layout), language),
    sections: layout.sections.length,
    standing: formatCount(
      layout.standing.reduce((sum, { quantity }) => sum + quantity, 0),
      language,
    ),
  });
  const below = STAGE_HEIGHT + MARGIN;
  const picture = draw(
    'svg',
    { class: 'layout', viewBox: `0 0 ${WIDTH} ${below + height}`, role: 'img', 'aria-label': says },
    draw('rect', { class: 'stage', x: WIDTH / 4, y: 0, width: WIDTH / 2, height: STAGE_HEIGHT, rx: 4 }),
    writing(texts.stage, WIDTH / 2, STAGE_HEIGHT / 2, 'stage-name'),
    ...blocks.flatMap(({ x, y, width, height: high, label }) => [
      draw('rect', { class: 'block', x, y: below + y, width, height: high, rx: 3 }),
      writing(label.slice(0, 24), x + width / 2, below + y + high / 2, 'block-name'),
    ]),
  );
  const figure = el('figure', { className: 'preview' }, el('figcaption', { className: 'about', textContent: says }));
  figure.prepend(picture);
  return figure;
}

function writing(text: string, x: number, y: number, className: string): SVGElement {
  const node = draw('text', { class: className, x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central' });
  node.textContent = text;
  return node;
}
