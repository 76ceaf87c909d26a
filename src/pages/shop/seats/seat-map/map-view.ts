/** The seat map on its canvas: camera, pointer and keyboard control, at most one draw per frame. */
import { type Camera, fitHall, lookAt, type Point, pan, type Size, toHall, zoom } from './camera.ts';
import { listenToGestures } from './gestures.ts';
import { type Block, findNeighbour, findSeat, findSeatAt, type Hall, type SeatAt, toSeatId } from './hall.ts';
import { type Inks, NEAR, Painter } from './painter.ts';

export interface MapViewOptions {
  canvas: HTMLCanvasElement;
  hall: Hall;
  stage: string;
  priceOf: (section: Block['section']) => string;
  /** A seat was tapped, or chosen with the keyboard. */
  onChoose: (seatId: string) => void;
  /** The keyboard cursor moved to a seat. */
  onCursor: (seatId: string) => void;
}

/** Scale after a tap from afar: seats are large enough to hit, and their neighbours are visible. */
const CLOSE = 26;
const STEP = 1.4;
const ARROWS: Readonly<Record<string, [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const FREE_INKS = {
  light: ['#2447c5', '#0b7a53', '#a3480a', '#7a2aa8', '#96104a'],
  dark: ['#93abff', '#5fd3a4', '#ffb27a', '#d3a0ff', '#ff9cc2'],
};

export class MapView {
  readonly #options: MapViewOptions;
  readonly #pen: CanvasRenderingContext2D;
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');
  readonly #resizes = new ResizeObserver(() => this.#resize());
  #painter: Painter;
  #inks: Inks;
  #view: Size = { width: 1, height: 1 };
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  #chosen: SeatAt[] = [];
  #cursor: SeatAt | undefined;
  #frame = 0;
  #isFitted = true;

  constructor(options: MapViewOptions) {
    this.#options = options;
    const { canvas, hall } = options;
    this.#pen = canvas.getContext('2d', { alpha: false })!;
    this.#inks = readInks(this.#dark.matches);
    this.#painter = new Painter(hall, this.#inks);
    listenToGestures(canvas, {
      pan: (dx, dy) => this.#move(pan(this.#camera, dx, dy, hall, this.#view)),
      zoom: (factor, at) => this.#move(zoom(this.#camera, factor, at, hall, this.#view)),
      tap: (at) => this.#tap(at),
    });
    canvas.addEventListener('keydown', (event) => this.#press(event));
    canvas.addEventListener('blur', () => this.#draw());
    this.#dark.addEventListener('change', this.#repaint);
    this.#resizes.observe(canvas);
    this.#resize();
  }

  inkOf(price: number): string {
    return this.#painter.inkOf(price);
  }

  choose(seatIds: readonly string[]): void {
    this.#chosen = seatIds.map((id) => findSeat(this.#options.hall, id)).filter((seat) => seat !== undefined);
    this.#draw();
  }

  update(seatIds: readonly string[]): void {
    for (const id of seatIds) {
      const seat = findSeat(this.#options.hall, id);
      if (seat !== undefined) this.#painter.update(seat);
    }
    this.#draw();
  }

  zoomBy(steps: number): void {
    const middle = { x: this.#view.width / 2, y: this.#view.height / 2 };
    this.#move(zoom(this.#camera, STEP ** steps, middle, this.#options.hall, this.#view));
  }

  fit(): void {
    this.#move(fitHall(this.#options.hall, this.#view));
    this.#isFitted = true;
  }

  stop(): void {
    this.#resizes.disconnect();
    this.#dark.removeEventListener('change', this.#repaint);
    cancelAnimationFrame(this.#frame);
  }

  #tap(at: Point): void {
    const { hall, onChoose } = this.#options;
    const place = toHall(this.#camera, at);
    const seat = findSeatAt(hall, place.x, place.y);
    if (this.#camera.scale < NEAR) this.#move(lookAt(place, CLOSE, hall, this.#view));
    else if (seat !== undefined) onChoose(toSeatId(seat));
  }

  #press(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow !== undefined) this.#step(...arrow);
    else if (event.key === '+' || event.key === '=') this.zoomBy(1);
    else if (event.key === '-') this.zoomBy(-1);
    else if (event.key === '0') this.fit();
    else if ((event.key === 'Enter' || event.key === ' ') && this.#cursor !== undefined) {
      this.#options.onChoose(toSeatId(this.#cursor));
    } else return;
    event.preventDefault();
  }

  #step(dx: number, dy: number): void {
    const { hall, onCursor } = this.#options;
    const block = hall.blocks[0];
    if (block === undefined) return;
    this.#cursor =
      this.#cursor === undefined ? { block, row: 0, number: 0 } : findNeighbour(hall, this.#cursor, dx, dy);
    const { block: at, row, number } = this.#cursor;
    const scale = Math.max(this.#camera.scale, CLOSE);
    this.#move(lookAt({ x: at.x + number + 0.5, y: at.y + row + 0.5 }, scale, hall, this.#view));
    onCursor(toSeatId(this.#cursor));
  }

  #move(camera: Camera): void {
    this.#camera = camera;
    this.#isFitted = false;
    this.#draw();
  }

  #resize(): void {
    const { canvas } = this.#options;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    this.#view = { width, height };
    const density = devicePixelRatio;
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    if (this.#isFitted) this.fit();
    else this.#move(pan(this.#camera, 0, 0, this.#options.hall, this.#view));
    // Resizing clears the canvas; paint now to avoid an empty frame.
    this.#paint();
  }

  readonly #repaint = (): void => {
    this.#inks = readInks(this.#dark.matches);
    this.#painter = new Painter(this.#options.hall, this.#inks);
    this.#draw();
  };

  /** At most once a frame. */
  #draw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  #paint(): void {
    const { canvas, hall, stage, priceOf } = this.#options;
    this.#painter.draw(this.#pen, {
      hall,
      camera: this.#camera,
      view: this.#view,
      density: devicePixelRatio,
      inks: this.#inks,
      chosen: this.#chosen,
      cursor: document.activeElement === canvas ? this.#cursor : undefined,
      stage,
      priceOf,
    });
  }
}

function readInks(isDark: boolean): Inks {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    ground: colour('card'),
    ink: colour('ink'),
    line: colour('line'),
    taken: colour('line'),
    chosen: colour('ink'),
    onChosen: colour('card'),
    tiers: FREE_INKS[isDark ? 'dark' : 'light'],
  };
}
