/**
 * Draws the map. From afar a section is one cached image with a few pixels per seat, so 20,000 seats cost a dozen image
 * draws. Close up, only the few hundred visible seats are drawn one by one.
 */
import { type Camera, type Size, toHall } from './camera.ts';
import type { Block, Hall, SeatAt } from './hall.ts';

export interface Inks {
  ground: string;
  ink: string;
  line: string;
  taken: string;
  chosen: string;
  onChosen: string;
  /** By price, highest first. */
  tiers: readonly string[];
}

export interface Scene {
  hall: Hall;
  camera: Camera;
  view: Size;
  /** Device pixels per CSS pixel. */
  density: number;
  inks: Inks;
  chosen: readonly SeatAt[];
  cursor: SeatAt | undefined;
  stage: string;
  priceOf: (section: Block['section']) => string;
}

/** From this scale on a seat is large enough to tap and is drawn individually. */
export const NEAR = 15;
const NUMBERS_FROM = 26;
const LABELS_FROM = 3;
/** Pixels per seat in the image of a section, including one for the gap. */
const DOT = 4;

export class Painter {
  readonly #pictures = new Map<string, HTMLCanvasElement>();
  readonly #tiers = new Map<number, number>();
  readonly #inks: Inks;

  constructor(hall: Hall, inks: Inks) {
    this.#inks = inks;
    const prices = [...new Set(hall.blocks.map(({ section }) => section.price))].sort((a, b) => b - a);
    for (const [index, price] of prices.entries()) this.#tiers.set(price, index % inks.tiers.length);
    for (const { section } of hall.blocks) this.#pictures.set(section.id, this.#drawSection(section));
  }

  inkOf(price: number): string {
    return this.#inks.tiers[this.#tiers.get(price) ?? 0]!;
  }

  /** Repaints one seat in the image of its section. */
  update({ block: { section }, row, number }: SeatAt): void {
    const pen = this.#pictures.get(section.id)!.getContext('2d')!;
    this.#dot(pen, section, row, number);
  }

  draw(pen: CanvasRenderingContext2D, scene: Scene): void {
    const { camera, view, density, inks, hall } = scene;
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.fillStyle = inks.ground;
    pen.fillRect(0, 0, view.width, view.height);
    const { scale } = camera;
    pen.setTransform(density, 0, 0, density, -camera.x * scale * density, -camera.y * scale * density);
    this.#drawStage(pen, scene);
    const [from, to] = [toHall(camera, { x: 0, y: 0 }), toHall(camera, { x: view.width, y: view.height })];
    for (const block of hall.blocks) {
      const { rows, seatsPerRow } = block.section;
      if (block.x > to.x || block.y - 3 > to.y || block.x + seatsPerRow < from.x || block.y + rows < from.y) continue;
      this.#drawLabel(pen, block, scene);
      if (scale < NEAR) this.#drawFar(pen, block, scale);
      else this.#drawNear(pen, block, scene, from, to);
    }
    for (const seat of scene.chosen) this.#drawChosen(pen, seat, scene);
    if (scene.cursor !== undefined) this.#drawCursor(pen, scene.cursor, scene);
  }

  #drawSection(section: Block['section']): HTMLCanvasElement {
    const picture = document.createElement('canvas');
    picture.width = section.seatsPerRow * DOT;
    picture.height = section.rows * DOT;
    const pen = picture.getContext('2d')!;
    for (let row = 0; row < section.rows; row += 1) {
      for (let number = 0; number < section.seatsPerRow; number += 1) this.#dot(pen, section, row, number);
    }
    return picture;
  }

  #dot(pen: CanvasRenderingContext2D, section: Block['section'], row: number, number: number): void {
    const isFree = section.seats[row]![number] === '0';
    pen.fillStyle = isFree ? this.inkOf(section.price) : this.#inks.taken;
    pen.clearRect(number * DOT, row * DOT, DOT, DOT);
    pen.fillRect(number * DOT, row * DOT, DOT - 1, DOT - 1);
  }

  #drawStage(pen: CanvasRenderingContext2D, { hall: { stage }, camera: { scale }, inks, stage: name }: Scene): void {
    pen.fillStyle = inks.line;
    pen.beginPath();
    pen.roundRect(stage.x * scale, stage.y * scale, stage.width * scale, stage.height * scale, 6);
    pen.fill();
    pen.fillStyle = inks.ink;
    pen.font = `600 ${Math.max(10, Math.min(18, scale * 2))}px system-ui, sans-serif`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillText(name, (stage.x + stage.width / 2) * scale, (stage.y + stage.height / 2) * scale);
  }

  #drawLabel(pen: CanvasRenderingContext2D, { section, x, y }: Block, scene: Scene): void {
    const { scale } = scene.camera;
    const size = Math.max(9, Math.min(15, scale * 1.6));
    pen.font = `600 ${size}px system-ui, sans-serif`;
    pen.textAlign = 'left';
    pen.textBaseline = 'bottom';
    const price = scene.priceOf(section);
    const room = section.seatsPerRow * scale;
    const text = [`${section.name} · ${price}`, section.name, section.id].find(
      (name) => pen.measureText(name).width <= room,
    );
    if (scale < LABELS_FROM && text === undefined) return;
    pen.fillStyle = scene.inks.ink;
    pen.fillText(text ?? section.id, x * scale, (y - 0.4) * scale);
  }

  #drawFar(pen: CanvasRenderingContext2D, { section, x, y }: Block, scale: number): void {
    pen.imageSmoothingEnabled = scale < DOT;
    const picture = this.#pictures.get(section.id)!;
    pen.drawImage(picture, x * scale, y * scale, section.seatsPerRow * scale, section.rows * scale);
  }

  #drawNear(
    pen: CanvasRenderingContext2D,
    { section, x, y }: Block,
    { camera: { scale }, inks }: Scene,
    from: { x: number; y: number },
    to: { x: number; y: number },
  ): void {
    const [first, last] = [Math.max(0, Math.floor(from.x - x)), Math.min(section.seatsPerRow, Math.ceil(to.x - x))];
    const [top, bottom] = [Math.max(0, Math.floor(from.y - y)), Math.min(section.rows, Math.ceil(to.y - y))];
    const side = scale * 0.84;
    const paint = (isFree: boolean, colour: string) => {
      pen.beginPath();
      for (let row = top; row < bottom; row += 1) {
        const digits = section.seats[row]!;
        for (let number = first; number < last; number += 1) {
          if ((digits[number] === '0') !== isFree) continue;
          pen.roundRect((x + number + 0.08) * scale, (y + row + 0.08) * scale, side, side, scale * 0.2);
        }
      }
      pen.fillStyle = colour;
      pen.fill();
    };
    paint(true, this.inkOf(section.price));
    paint(false, inks.taken);
    if (scale < NUMBERS_FROM) return;
    pen.font = `${Math.round(scale * 0.36)}px system-ui, sans-serif`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = inks.ground;
    for (let row = top; row < bottom; row += 1) {
      for (let number = first; number < last; number += 1) {
        if (section.seats[row]![number] !== '0') continue;
        pen.fillText(String(number + 1), (x + number + 0.5) * scale, (y + row + 0.5) * scale);
      }
    }
  }

  #drawChosen(pen: CanvasRenderingContext2D, { block, row, number }: SeatAt, { camera: { scale }, inks }: Scene): void {
    const [x, y] = [(block.x + number) * scale, (block.y + row) * scale];
    const grow = scale < NEAR ? 2 : 0;
    pen.fillStyle = inks.chosen;
    pen.beginPath();
    pen.roundRect(x - grow, y - grow, scale + 2 * grow, scale + 2 * grow, scale * 0.2 + grow);
    pen.fill();
    if (scale < NEAR) return;
    // A tick, because colour alone is not accessible.
    pen.strokeStyle = inks.onChosen;
    pen.lineWidth = Math.max(2, scale * 0.1);
    pen.beginPath();
    pen.moveTo(x + scale * 0.28, y + scale * 0.52);
    pen.lineTo(x + scale * 0.45, y + scale * 0.68);
    pen.lineTo(x + scale * 0.74, y + scale * 0.34);
    pen.stroke();
  }

  #drawCursor(pen: CanvasRenderingContext2D, { block, row, number }: SeatAt, { camera: { scale }, inks }: Scene): void {
    pen.strokeStyle = inks.ink;
    pen.lineWidth = 3;
    pen.strokeRect((block.x + number) * scale - 2, (block.y + row) * scale - 2, scale + 4, scale + 4);
  }
}
