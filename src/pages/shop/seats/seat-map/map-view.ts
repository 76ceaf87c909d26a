/** The seat map on its canvas: camera, pointer and keyboard control, at most one draw per frame. */
import { type Camera, fitHall, lookAt, pan, type Size, toHall, zoom } from './camera.ts';
import { listenToGestures } from './gestures.ts';
import {
  type Block,
  findNeighbour,
  findSeat,
  findSeatAt,
  type Hall,
  type Point,
  placeOf,
  type SeatAt,
  toSeatId,
} from './hall.ts';
import { type Inks, inkQueries, readInks } from './inks.ts';
import { Overview } from './overview.ts';
import { NEAR, Painter } from './painter.ts';

export interface MapViewOptions {
  canvas: HTMLCanvasElement;
  hall: Hall;
  stage: string;
  priceOf: (section: Block['section']) => string;
  /** A seat was tapped, or chosen with the keyboard. */
  onChoose: (seatId: string) => void;
  /** The keyboard cursor moved to a seat. */
  onCursor: (seatId: string) => void;
  /** The section in the middle of the view, while seats are large enough to tap. */
  onSection: (sectionId: string | undefined) => void;
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
/** The overview is shown from this zoom on, relative to the whole hall. */
const OVERVIEW_FROM = 1.6;

export class MapView {
  readonly #options: MapViewOptions;
  readonly #pen: CanvasRenderingContext2D;
  readonly #queries = inkQueries.map((query) => matchMedia(query));
  readonly #overview: Overview;
  readonly #resizes = new ResizeObserver(() => this.#resize());
  #painter: Painter;
  #inks: Inks;
  #view: Size = { width: 1, height: 1 };
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  #chosen: SeatAt[] = [];
  #mine: SeatAt[] = [];
  #section: string | undefined;
  #cursor: SeatAt | undefined;
  #frame = 0;
  #isFitted = true;

  constructor(options: MapViewOptions) {
    this.#options = options;
    const { canvas, hall } = options;
    this.#pen = canvas.getContext('2d', { alpha: false })!;
    this.#inks = readInks();
    this.#painter = new Painter(hall, this.#inks);
    this.#overview = new Overview(hall);
    listenToGestures(canvas, {
      pan: (dx, dy) => this.#move(pan(this.#camera, dx, dy, hall, this.#view)),
      zoom: (factor, at) => this.#move(zoom(this.#camera, factor, at, hall, this.#view)),
      tap: (at) => this.#tap(at),
    });
    canvas.addEventListener('keydown', (event) => this.#press(event));
    canvas.addEventListener('blur', () => this.#draw());
    for (const query of this.#queries) query.addEventListener('change', this.#repaint);
    this.#resizes.observe(canvas);
    this.#resize();
  }

  inkOf(price: number): string {
    return this.#painter.inkOf(price);
  }

  tierOf(price: number): number {
    return this.#painter.tierOf(price);
  }

  choose(seatIds: readonly string[]): void {
    this.#chosen = this.#findAll(seatIds);
    this.#draw();
  }

  /** Marks the seats that this visitor holds. */
  own(seatIds: readonly string[]): void {
    this.#mine = this.#findAll(seatIds);
    this.#draw();
  }

  /** Moves to seats, close enough to see them. */
  show(seatIds: readonly string[]): void {
    const places = this.#findAll(seatIds).map(placeOf);
    if (places.length === 0) return;
    const mean = (pick: (place: Point) => number) =>
      places.reduce((sum, place) => sum + pick(place), 0) / places.length;
    const middle = { x: mean(({ x }) => x), y: mean(({ y }) => y) };
    this.#move(lookAt(middle, CLOSE, this.#options.hall, this.#view));
  }

  update(seatIds: readonly string[]): void {
    for (const seat of this.#findAll(seatIds)) this.#painter.update(seat);
    this.#overview.refresh();
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
    for (const query of this.#queries) query.removeEventListener('change', this.#repaint);
    cancelAnimationFrame(this.#frame);
  }

  #findAll(seatIds: readonly string[]): SeatAt[] {
    return seatIds.map((id) => findSeat(this.#options.hall, id)).filter((seat) => seat !== undefined);
  }

  #tap(at: Point): void {
    const { hall, onChoose } = this.#options;
    const elsewhere = this.#hasOverview() ? this.#overview.find(at, this.#view) : undefined;
    if (elsewhere !== undefined) {
      this.#move(lookAt(elsewhere, this.#camera.scale, hall, this.#view));
      return;
    }
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
    const first = hall.blocks[0];
    if (first === undefined) return;
    if (this.#cursor !== undefined) this.#cursor = findNeighbour(hall, this.#cursor, dx, dy);
    else this.#cursor = firstSeatOf(first);
    const scale = Math.max(this.#camera.scale, CLOSE);
    this.#move(lookAt(placeOf(this.#cursor), scale, hall, this.#view));
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
    this.#inks = readInks();
    this.#painter = new Painter(this.#options.hall, this.#inks);
    this.#overview.refresh();
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
      mine: this.#mine,
      cursor: document.activeElement === canvas ? this.#cursor : undefined,
      stage,
      priceOf,
    });
    if (this.#hasOverview()) {
      this.#overview.draw(this.#pen, this.#painter, this.#camera, this.#view, devicePixelRatio, this.#inks);
    }
    this.#tellSection();
  }

  #hasOverview(): boolean {
    return this.#camera.scale > fitHall(this.#options.hall, this.#view).scale * OVERVIEW_FROM;
  }

  #tellSection(): void {
    const { hall, onSection } = this.#options;
    const middle = toHall(this.#camera, { x: this.#view.width / 2, y: this.#view.height / 2 });
    const section = this.#camera.scale < NEAR ? undefined : findNearest(hall, middle)?.section.id;
    if (section === this.#section) return;
    this.#section = section;
    onSection(section);
  }
}

function firstSeatOf(block: Block): SeatAt {
  const digits = block.section.seats.join('');
  const index = Math.max(0, digits.search(/[^3]/));
  return { block, row: Math.floor(index / block.section.seatsPerRow), number: index % block.section.seatsPerRow };
}

/** The section around a place, or the one whose bounds are nearest. */
function findNearest({ blocks }: Hall, { x, y }: Point): Block | undefined {
  const far = ({ bounds: { left, right, top, bottom } }: Block) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
  return blocks.reduce<Block | undefined>((best, block) => (!best || far(block) < far(best) ? block : best), undefined);
}
