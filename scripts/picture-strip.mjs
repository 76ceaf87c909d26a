/** One picture of several: what a person sees step by step, side by side. */
import sharp from 'sharp';

const GAP = 24;
const QUALITY = 72;

export class Strip {
  #page;
  #shots = [];

  constructor(page) {
    this.#page = page;
  }

  /** Adds what is in view now. */
  async add() {
    await this.#page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    this.#shots.push(await this.#page.screenshot());
  }

  /** Steps in rows of `perRow`, on a transparent ground; `width` is that of one step in the file. */
  async save(path, { width, perRow = this.#shots.length }) {
    const steps = await Promise.all(this.#shots.map((shot) => sharp(shot).resize({ width }).png().toBuffer()));
    const { height } = await sharp(steps[0]).metadata();
    const rows = Math.ceil(steps.length / perRow);
    const ground = {
      width: perRow * (width + GAP) - GAP,
      height: rows * (height + GAP) - GAP,
      channels: 4,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    };
    const placed = steps.map((input, index) => ({
      input,
      left: (index % perRow) * (width + GAP),
      top: Math.floor(index / perRow) * (height + GAP),
    }));
    await sharp({ create: ground }).composite(placed).webp({ quality: QUALITY }).toFile(path);
  }
}
