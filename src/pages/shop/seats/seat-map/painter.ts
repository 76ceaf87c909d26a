/**
 * Draws the map. From afar a section is one cached image with a few pixels per seat, so 20,000 seats cost a dozen image
 * draws. Close up, only the few hundred visible seats are drawn one by one.
 */
import { type Camera, type Size, toHall } from './camera.ts';
import { drawCompanion, drawTick, drawWheelchair, FORMS, type Form } from './glyphs.ts';
import {
  accessOf,
  type Block,
  forEachSeat,
  type Hall,
  type Point,
  placeOf,
  rowLabelOf,
  type SeatAt,
  seatLabelOf,
} from './hall.ts';
import type { Inks } from './inks.ts';

export interface Scene {
  hall: Hall;
  camera: Camera;
  view: Size;
  /** Device pixels per CSS pixel. */
  density: number;
  inks: Inks;
  chosen: readonly SeatAt[];
  /** Held by this visitor. */
  mine: readonly SeatAt[];
  cursor: SeatAt | undefined;
  stage: string;
  priceOf: (section: Block['section']) => string;
}

type Pen = CanvasRenderingContext2D;

/** From this scale on a seat is large enough to tap and is drawn individually. */
export const NEAR = 15;
const NUMBERS_FROM = 24;
const LABELS_FROM = 3;
/** Pixels per seat in the image of a section, including one for the gap. */
const DOT = 4;
const SEAT_SIZE = 0.84;
/** Taken seats are smaller too: colour alone is not accessible. */
const TAKEN_SIZE = 0.5;
const FONT = 'system-ui, sans-serif';

export class Painter {
  readonly #pictures = new Map<string, HTMLCanvasElement>();
  readonly #tiers = new Map<number, number>();
  readonly #inks: Inks;

  constructor(hall: Hall, inks: Inks) {
    this.#inks = inks;
    for (const [index, price] of pricesOf(hall).entries()) this.#tiers.set(price, index % inks.tiers.length);
    for (const block of hall.blocks) this.#pictures.set(block.section.id, this.#drawSection(block));
  }

  /** The number of the colour and the form of a price. */
  tierOf(price: number): number {
    return this.#tiers.get(price) ?? 0;
  }

  inkOf(price: number): string {
    return this.#inks.tiers[this.tierOf(price)]!;
  }

  /** Repaints one seat in the image of its section. */
  update(seat: SeatAt): void {
    const { block, row, number } = seat;
    const pen = this.#pictures.get(block.section.id)!.getContext('2d')!;
    const { x, y } = placeOf(seat);
    this.#dot(pen, block, x, y, block.section.seats[row]![number]!);
  }

  draw(pen: Pen, scene: Scene): void {
    const { camera, view, density, inks, hall } = scene;
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.fillStyle = inks.ground;
    pen.fillRect(0, 0, view.width, view.height);
    const { scale } = camera;
    pen.setTransform(density, 0, 0, density, -camera.x * scale * density, -camera.y * scale * density);
    this.#drawStage(pen, scene);
    const [from, to] = [toHall(camera, { x: 0, y: 0 }), toHall(camera, { x: view.width, y: view.height })];
    for (const block of hall.blocks) {
      const { left, right, top, bottom } = block.bounds;
      if (left - 2 > to.x || top - 3 > to.y || right + 2 < from.x || bottom < from.y) continue;
      this.#drawLabel(pen, block, scene);
      if (scale < NEAR) this.#drawFar(pen, block, scale);
      else this.#drawNear(pen, block, scene, from, to);
    }
    for (const seat of scene.mine) this.#drawOwn(pen, seat, scene, inks.mine, inks.onMine);
    for (const seat of scene.chosen) this.#drawOwn(pen, seat, scene, inks.chosen, inks.onChosen);
    if (scene.cursor !== undefined) this.#drawCursor(pen, scene.cursor, scene);
  }

  /** The images of all sections, for the overview; `scale`: pixels per seat. */
  drawAll(pen: Pen, hall: Hall, scale: number): void {
    for (const block of hall.blocks) this.#drawFar(pen, block, scale);
  }

  #drawSection(block: Block): HTMLCanvasElement {
    const { left, right, top, bottom } = block.bounds;
    const picture = document.createElement('canvas');
    picture.width = Math.ceil((right - left) * DOT);
    picture.height = Math.ceil((bottom - top) * DOT);
    const pen = picture.getContext('2d')!;
    forEachSeat(block, (_row, _number, x, y, digit) => this.#dot(pen, block, x, y, digit));
    return picture;
  }

  #dot(pen: Pen, { section, bounds }: Block, x: number, y: number, digit: string): void {
    const isFree = digit === '0';
    pen.fillStyle = isFree ? this.inkOf(section.price) : this.#inks.taken;
    const [left, top] = [Math.round((x - 0.5 - bounds.left) * DOT), Math.round((y - 0.5 - bounds.top) * DOT)];
    pen.clearRect(left, top, DOT - 1, DOT - 1);
    pen.fillRect(left, top, DOT - 1, DOT - 1);
  }

  #drawStage(pen: Pen, { hall: { stage }, camera: { scale }, inks, stage: name }: Scene): void {
    pen.fillStyle = inks.line;
    pen.beginPath();
    pen.roundRect(stage.x * scale, stage.y * scale, stage.width * scale, stage.height * scale, [4, 4, 18, 18]);
    pen.fill();
    pen.fillStyle = inks.ink;
    pen.font = `600 ${Math.max(10, Math.min(18, scale * 2))}px ${FONT}`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillText(name, (stage.x + stage.width / 2) * scale, (stage.y + stage.height / 2) * scale);
  }

  #drawLabel(pen: Pen, { section, label, bounds }: Block, scene: Scene): void {
    const { scale } = scene.camera;
    pen.font = `600 ${Math.max(9, Math.min(15, scale * 1.6))}px ${FONT}`;
    pen.textAlign = 'center';
    pen.textBaseline = 'bottom';
    const room = (bounds.right - bounds.left) * scale;
    const text = [`${section.name} · ${scene.priceOf(section)}`, section.name, section.id].find(
      (name) => pen.measureText(name).width <= room,
    );
    if (scale < LABELS_FROM && text === undefined) return;
    pen.fillStyle = scene.inks.ink;
    pen.fillText(text ?? section.id, label.x * scale, label.y * scale);
  }

  #drawFar(pen: Pen, { section, bounds }: Block, scale: number): void {
    pen.imageSmoothingEnabled = scale < DOT;
    const picture = this.#pictures.get(section.id)!;
    const size = scale / DOT;
    pen.drawImage(picture, bounds.left * scale, bounds.top * scale, picture.width * size, picture.height * size);
  }

  #drawNear(pen: Pen, block: Block, scene: Scene, from: Point, to: Point): void {
    const { section } = block;
    const { inks, camera } = scene;
    const { scale } = camera;
    this.#drawTables(pen, block, scene);
    const form = FORMS[this.tierOf(section.price)]!;
    const taken: number[] = [];
    const marked: SeatAt[] = [];
    const numbers: [label: string, x: number, y: number][] = [];
    pen.beginPath();
    forEachSeat(block, (row, number, x, y, digit) => {
      if (x + 0.5 < from.x || x - 0.5 > to.x || y + 0.5 < from.y || y - 0.5 > to.y) return;
      if (digit !== '0') {
        taken.push(x, y);
        return;
      }
      form(pen, x * scale, y * scale, scale * SEAT_SIZE);
      const isMarked = block.access.size > 0 && accessOf({ block, row, number }) !== undefined;
      if (isMarked) marked.push({ block, row, number });
      else if (scale >= NUMBERS_FROM) numbers.push([seatLabelOf(section, number), x, y]);
    });
    pen.fillStyle = this.inkOf(section.price);
    pen.fill();
    this.#drawTaken(pen, taken, form, scene);
    pen.fillStyle = inks.ground;
    pen.strokeStyle = inks.ground;
    for (const seat of marked) {
      const { x, y } = placeOf(seat);
      const draw = accessOf(seat) === 'wheelchair' ? drawWheelchair : drawCompanion;
      draw(pen, x * scale, y * scale, scale * SEAT_SIZE);
    }
    pen.font = `${Math.round(scale * 0.36)}px ${FONT}`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (const [label, x, y] of numbers) pen.fillText(label, x * scale, y * scale);
    if (block.tables === undefined) this.#drawRowLabels(pen, block, scene, from, to);
  }

  #drawTaken(pen: Pen, places: readonly number[], form: Form, { camera: { scale }, inks }: Scene): void {
    pen.beginPath();
    for (let at = 0; at < places.length; at += 2) {
      form(pen, places[at]! * scale, places[at + 1]! * scale, scale * TAKEN_SIZE);
    }
    pen.fillStyle = inks.taken;
    pen.fill();
  }

  #drawTables(pen: Pen, { section, tables, tableRadius }: Block, { camera: { scale }, inks }: Scene): void {
    if (tables === undefined) return;
    pen.font = `600 ${Math.round(scale * 0.5)}px ${FONT}`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (let row = 0; row < section.rows; row += 1) {
      const [x, y] = [tables[row * 2]! * scale, tables[row * 2 + 1]! * scale];
      pen.beginPath();
      pen.arc(x, y, tableRadius * scale, 0, 2 * Math.PI);
      pen.strokeStyle = inks.soft;
      pen.lineWidth = 1.5;
      pen.stroke();
      pen.fillStyle = inks.soft;
      pen.fillText(rowLabelOf(section, row), x, y);
    }
  }

  /** At both ends of each row; of straight rows they stay in view while the row is. */
  #drawRowLabels(pen: Pen, { section, places }: Block, scene: Scene, from: Point, to: Point): void {
    const { scale } = scene.camera;
    const isStraight = !section.curve && !section.rotate;
    const width = section.seatsPerRow;
    pen.font = `600 ${Math.min(14, Math.round(scale * 0.5))}px ${FONT}`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (let row = 0; row < section.rows; row += 1) {
      const [first, last] = [row * width * 2, (row * width + width - 1) * 2];
      const step = width > 1 ? 2 : 0;
      const ends: Point[] = [beyond(places, first, first + step, -1), beyond(places, last, last - step, 1)];
      for (const [index, { x, y }] of ends.entries()) {
        if (y < from.y - 0.5 || y > to.y + 0.5) continue;
        const inView = index === 0 ? Math.max(x, from.x + 0.6) : Math.min(x, to.x - 0.6);
        const at = isStraight ? inView : x;
        const isOver = at !== x;
        // Beyond the other end of the row there is nothing to label.
        if (isOver && (index === 0 ? at > ends[1]!.x - 1 : at < ends[0]!.x + 1)) continue;
        this.#drawRowLabel(pen, rowLabelOf(section, row), at * scale, y * scale, isOver, scene);
      }
    }
  }

  #drawRowLabel(pen: Pen, label: string, x: number, y: number, isOver: boolean, { camera, inks }: Scene): void {
    if (isOver) {
      const [width, height] = [Math.max(camera.scale * 0.8, pen.measureText(label).width + 8), camera.scale * 0.8];
      pen.fillStyle = inks.ground;
      pen.globalAlpha = 0.9;
      pen.beginPath();
      pen.roundRect(x - width / 2, y - height / 2, width, height, 4);
      pen.fill();
      pen.globalAlpha = 1;
    }
    pen.fillStyle = inks.soft;
    pen.fillText(label, x, y);
  }

  /** A selected or held seat: in its own colour, with a tick. */
  #drawOwn(pen: Pen, seat: SeatAt, { camera: { scale } }: Scene, colour: string, mark: string): void {
    const place = placeOf(seat);
    const [x, y] = [place.x * scale, place.y * scale];
    const size = scale < NEAR ? Math.max(scale + 4, 7) : scale;
    pen.fillStyle = colour;
    pen.beginPath();
    FORMS[0]!(pen, x, y, size);
    pen.fill();
    if (scale < NEAR) return;
    pen.strokeStyle = mark;
    drawTick(pen, x, y, scale);
  }

  #drawCursor(pen: Pen, seat: SeatAt, { camera: { scale }, inks }: Scene): void {
    const { x, y } = placeOf(seat);
    pen.strokeStyle = inks.ink;
    pen.lineWidth = 3;
    pen.strokeRect((x - 0.5) * scale - 2, (y - 0.5) * scale - 2, scale + 4, scale + 4);
  }
}

/** The prices of a hall, highest first. */
export function pricesOf({ blocks }: Hall): number[] {
  return [...new Set(blocks.map(({ section }) => section.price))].sort((a, b) => b - a);
}

/** The point one seat beyond the end of a row. `side`: the direction if the row has one seat only. */
function beyond(places: Float32Array, end: number, inner: number, side: number): Point {
  const [x, y] = [places[end]!, places[end + 1]!];
  if (inner === end) return { x: x + side, y };
  return { x: 2 * x - places[inner]!, y: 2 * y - places[inner + 1]! };
}
