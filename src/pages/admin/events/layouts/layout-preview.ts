/** A layout as visitors see it, with a text summary. */
import type { LayoutBody } from '../../../../shop/rules/layout.ts';
import { toMarkedSeats } from '../../../../shop/rules/seat-marks.ts';
import { formatCount } from '../../../texts/format.ts';
import { fill } from '../../../texts/language.ts';
import type { Desk } from '../../controls/desk.ts';
import { draw, el } from '../../controls/dom.ts';
import { placeAll } from './layout-geometry.ts';
import { sectionShapes, stageShape, standingShapes, viewBoxOf } from './layout-picture.ts';

type Drawable = Pick<LayoutBody, 'sections' | 'standing'>;

export function layoutPreview(layout: Drawable, { texts, language }: Pick<Desk, 'texts' | 'language'>): HTMLElement {
  const placed = placeAll(layout);
  const { x, y, width, height } = viewBoxOf(placed);
  const says = layoutSays(layout, { texts, language });
  const picture = draw(
    'svg',
    { class: 'layout', viewBox: `${x} ${y} ${width} ${height}`, role: 'img', 'aria-label': says },
    ...stageShape(texts.stage),
    ...standingShapes(placed).flat(),
    ...placed.sections.flatMap(sectionShapes),
  );
  const figure = el('figure', { className: 'preview' }, el('figcaption', { className: 'soft', textContent: says }));
  figure.prepend(picture);
  return figure;
}

export function layoutSays(layout: Drawable, { texts, language }: Pick<Desk, 'texts' | 'language'>): string {
  return fill(texts.previewSays, {
    seats: formatCount(totalSeats(layout), language),
    sections: layout.sections.length,
    standing: formatCount(
      layout.standing.reduce((sum, { quantity }) => sum + quantity, 0),
      language,
    ),
  });
}

export function totalSeats({ sections }: Pick<LayoutBody, 'sections'>): number {
  return sections.reduce(
    (sum, { rows, seatsPerRow, blocked }) => sum + rows * seatsPerRow - toMarkedSeats(blocked).size,
    0,
  );
}
