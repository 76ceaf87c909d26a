/** The small map of the whole hall in a corner, with the visible part marked. Shown while zoomed in. */
import { type Camera, type Size, toHall } from './camera.ts';
import type { Hall, Point } from './hall.ts';
import type { Inks } from './inks.ts';
import type { Painter } from './painter.ts';

const MOST: Size = { width: 112, height: 84 };
const MARGIN = 8;

export class Overview {
  readonly #hall: Hall;
  readonly #picture = document.createElement('canvas');
  readonly #scale: number;
  readonly #size: Size;
  #isStale = true;

  constructor(hall: Hall) {
    this.#hall = hall;
    this.#scale = Math.min(MOST.width / hall.width, MOST.height / hall.height);
    this.#size = { width: hall.width * this.#scale, height: hall.height * this.#scale };
  }

  /** Seats have changed; the picture is drawn again when it is needed. */
  refresh(): void {
    this.#isStale = true;
  }

  draw(pen: CanvasRenderingContext2D, painter: Painter, camera: Camera, view: Size, density: number, inks: Inks): void {
    const { width, height } = this.#size;
    if (this.#isStale) this.#paint(painter, density);
    const { x, y } = this.#corner(view);
    pen.setTransform(density, 0, 0, density, 0, 0);
    pen.fillStyle = inks.ground;
    pen.fillRect(x - 2, y - 2, width + 4, height + 4);
    pen.drawImage(this.#picture, x, y, width, height);
    pen.lineWidth = 1;
    pen.strokeStyle = inks.soft;
    pen.strokeRect(x - 2, y - 2, width + 4, height + 4);
    const [from, to] = [toHall(camera, { x: 0, y: 0 }), toHall(camera, { x: view.width, y: view.height })];
    const within = (value: number, most: number) => Math.min(Math.max(value * this.#scale, 0), most);
    const [left, top] = [within(from.x, width), within(from.y, height)];
    pen.lineWidth = 2;
    pen.strokeStyle = inks.ink;
    pen.strokeRect(x + left, y + top, within(to.x, width) - left, within(to.y, height) - top);
  }

  /** The place in the hall under a point of the view; undefined outside the overview. */
  find(at: Point, view: Size): Point | undefined {
    const corner = this.#corner(view);
    const [x, y] = [(at.x - corner.x) / this.#scale, (at.y - corner.y) / this.#scale];
    return x >= 0 && y >= 0 && x <= this.#hall.width && y <= this.#hall.height ? { x, y } : undefined;
  }

  #corner(view: Size): Point {
    return { x: view.width - this.#size.width - MARGIN, y: view.height - this.#size.height - MARGIN };
  }

  #paint(painter: Painter, density: number): void {
    this.#isStale = false;
    this.#picture.width = Math.ceil(this.#size.width * density);
    this.#picture.height = Math.ceil(this.#size.height * density);
    const pen = this.#picture.getContext('2d')!;
    painter.drawAll(pen, this.#hall, this.#scale * density);
  }
}
