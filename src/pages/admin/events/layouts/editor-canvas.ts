/** The drawing of the editor: sections are moved and seats marked by pointer and by keyboard. */
import type { Section } from '../../../../shop/rules/layout.ts';
import { fill } from '../../../texts/language.ts';
import type { Desk } from '../../controls/desk.ts';
import { draw, el } from '../../controls/dom.ts';
import type { Editor } from './editor.ts';
import { markSeats, moveSection, remove, rotateSection, type SeatKind, seatKind } from './layout-edits.ts';
import { type Point, seatAt, seatPlaces, sectionBox, toMap } from './layout-geometry.ts';
import { circle, rectOf, sectionShapes, stageShape, standingShapes, viewBoxOf } from './layout-picture.ts';

const TURN = 5;
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

interface Drag {
  index: number;
  from: Point;
  at: Point;
  /** What the first seat of the stroke became. */
  kind?: SeatKind;
  seats: Set<string>;
  key: string;
}

export class EditorCanvas {
  readonly root: HTMLElement;
  readonly #editor: Editor;
  readonly #texts: Desk['texts'];
  readonly #svg: SVGSVGElement;
  readonly #live = el('p', { className: 'sr-only', attributes: { 'aria-live': 'polite' } });
  #scale = 1;
  #cursor = { row: 1, number: 1 };
  #drag: Drag | undefined;

  constructor(editor: Editor, { texts }: Desk) {
    this.#editor = editor;
    this.#texts = texts;
    this.#svg = draw('svg', { class: 'editor-map', role: 'group', 'aria-label': texts.editorCanvas }) as SVGSVGElement;
    this.root = el('div', { id: 'editor-canvas', className: 'editor-canvas' }, this.#live);
    this.root.prepend(this.#svg);
    this.#svg.addEventListener('pointermove', (event) => this.#move(event));
    for (const name of ['pointerup', 'pointercancel'] as const) {
      this.#svg.addEventListener(name, () => {
        this.#drag = undefined;
        this.#show();
      });
    }
    editor.onChange(() => this.#show());
    this.#show();
  }

  zoom(factor: number | 'fit'): void {
    this.#scale = factor === 'fit' ? 1 : Math.min(8, Math.max(1, this.#scale * factor));
    this.#frame();
  }

  #show(): void {
    const svg = this.#svg;
    const focused = svg.contains(document.activeElement) ? document.activeElement?.getAttribute('data-index') : null;
    // While something is dragged the picture keeps its frame, or it would run away under the pointer.
    if (this.#drag === undefined) this.#frame();
    const { layout } = this.#editor;
    svg.replaceChildren(
      ...stageShape(this.#texts.stage),
      ...standingShapes(layout).map((shapes, index) => this.#standingGroup(shapes, index)),
      ...layout.sections.map((section, index) => this.#sectionGroup(section, index)),
    );
    if (focused != null) svg.querySelector<SVGElement>(`[data-index="${focused}"]`)?.focus();
  }

  #frame(): void {
    const { x, y, width, height } = viewBoxOf(this.#editor.layout);
    const [shown, high] = [width / this.#scale, height / this.#scale];
    this.#svg.setAttribute('viewBox', `${x + (width - shown) / 2} ${y} ${shown} ${high}`);
  }

  #standingGroup(shapes: SVGElement[], index: number): SVGElement {
    const editor = this.#editor;
    const isSelected = editor.selected?.kind === 'standing' && editor.selected.index === index;
    const group = itemGroup(editor.layout.standing[index]!.name, `standing-${index}`, isSelected);
    group.append(...shapes);
    const choose = () => editor.select({ kind: 'standing', index });
    group.addEventListener('click', choose);
    group.addEventListener('focus', choose);
    return group;
  }

  #sectionGroup(section: Section, index: number): SVGElement {
    const editor = this.#editor;
    const isSelected = editor.selected?.kind === 'sections' && editor.selected.index === index;
    const { name, rows, seatsPerRow: seats, kind } = section;
    const text = kind === 'table' ? this.#texts.tableSays : this.#texts.sectionSays;
    const group = itemGroup(fill(text, { name, rows, seats }), String(index), isSelected);
    group.append(rectOf(sectionBox(section), 'section-frame'), ...sectionShapes(section));
    if (isSelected && editor.tool !== 'move') group.append(this.#cursorShape(section));
    group.addEventListener('pointerdown', (event) => this.#press(event, index));
    group.addEventListener('keydown', (event) => this.#onKey(event, index));
    group.addEventListener('focus', () => editor.select({ kind: 'sections', index }));
    return group;
  }

  #cursorShape(section: Section): SVGElement {
    const { row, number } = this.#cursor;
    const place = seatPlaces(section).find((one) => one.row === row && one.number === number);
    return draw('path', { class: 'seat-cursor', d: place === undefined ? '' : circle(toMap(section, place), 0.5) });
  }

  #pointOf({ clientX, clientY }: PointerEvent): Point {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.#svg.getScreenCTM()!.inverse());
    return { x, y };
  }

  #press(event: PointerEvent, index: number): void {
    const from = this.#pointOf(event);
    const at = this.#editor.layout.sections[index]!.at ?? { x: 0, y: 0 };
    this.#drag = { index, from, at, seats: new Set(), key: `drag-${event.timeStamp}` };
    this.#editor.select({ kind: 'sections', index });
    this.#svg.setPointerCapture(event.pointerId);
    if (this.#editor.tool !== 'move') this.#brush(this.#drag, from);
  }

  #move(event: PointerEvent): void {
    const [drag, editor] = [this.#drag, this.#editor];
    if (drag === undefined) return;
    const point = this.#pointOf(event);
    if (editor.tool !== 'move') {
      this.#brush(drag, point);
      return;
    }
    const to = { x: drag.at.x + point.x - drag.from.x, y: drag.at.y + point.y - drag.from.y };
    editor.change(moveSection(editor.layout, drag.index, to), drag.key);
  }

  /** The first seat decides: marking a marked seat clears it, and all others of the same stroke. */
  #brush(drag: Drag, point: Point): void {
    const editor = this.#editor;
    const section = editor.layout.sections[drag.index]!;
    const place = seatAt(section, point);
    if (place === undefined) return;
    const seat = `${place.row}-${place.number}`;
    if (drag.seats.has(seat)) return;
    drag.kind ??= this.#toggled(section, seat);
    drag.seats.add(seat);
    this.#cursor = place;
    editor.change(markSeats(editor.layout, drag.index, [seat], drag.kind), drag.key);
  }

  #toggled(section: Section, seat: string): SeatKind {
    const tool = this.#editor.tool as SeatKind;
    return seatKind(section, seat) === tool ? 'open' : tool;
  }

  #onKey(event: KeyboardEvent, index: number): void {
    const editor = this.#editor;
    const by = ARROWS[event.key];
    if (by === undefined && !['r', 'R', 'Delete', ' ', 'Enter'].includes(event.key)) return;
    event.preventDefault();
    if (event.key === 'Delete') {
      editor.restructure(remove(editor.layout, 'sections', index), undefined);
    } else if (event.key.toLowerCase() === 'r') {
      editor.change(rotateSection(editor.layout, index, event.shiftKey ? -TURN : TURN), `turn-${index}`);
    } else if (editor.tool !== 'move') {
      this.#markByKey(index, by);
    } else if (by !== undefined) {
      const step = event.shiftKey ? 5 : 1;
      const { x, y } = editor.layout.sections[index]!.at!;
      editor.change(moveSection(editor.layout, index, { x: x + step * by.x, y: y + step * by.y }), `keys-${index}`);
    }
  }

  #markByKey(index: number, by: Point | undefined): void {
    const editor = this.#editor;
    const section = editor.layout.sections[index]!;
    const { row, number } = this.#cursor;
    const within = (value: number, most: number) => Math.min(most, Math.max(1, value));
    if (by === undefined) {
      const seat = `${row}-${number}`;
      editor.change(markSeats(editor.layout, index, [seat], this.#toggled(section, seat)));
    } else {
      this.#cursor = { row: within(row + by.y, section.rows), number: within(number + by.x, section.seatsPerRow) };
      this.#show();
    }
    this.#announce(editor.layout.sections[index]!);
  }

  #announce(section: Section): void {
    const { row, number } = this.#cursor;
    this.#live.textContent = fill(this.#texts.seatSays, {
      name: section.name,
      row: section.rowLabels?.[row - 1] ?? row,
      seat: (section.firstSeat ?? 1) + number - 1,
      state: this.#texts[`seat_${seatKind(section, `${row}-${number}`)}`],
    });
  }
}

function itemGroup(says: string, index: string, isSelected: boolean): SVGElement {
  return draw('g', {
    class: `map-item${isSelected ? ' selected' : ''}`,
    role: 'button',
    tabindex: 0,
    'aria-pressed': String(isSelected),
    'aria-label': says,
    'data-index': index,
  });
}
