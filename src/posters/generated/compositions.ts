/** The pictures of generated posters: geometric shapes in a frame. Each is a function of its frame, colours and numbers. */
import { pick, type Random } from './random.ts';

export interface Frame {
  width: number;
  height: number;
}
type Compose = (frame: Frame, colours: readonly string[], random: Random) => string;

const n = (value: number): string => String(Math.round(value * 10) / 10);

/** Quarter circles, half circles and discs in a grid. */
const tiles: Compose = ({ width, height }, colours, random) => {
  const columns = 4;
  const side = width / columns;
  const rows = Math.ceil(height / side);
  let shapes = '';
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const turn = Math.floor(random() * 4) * 90;
      const at = `translate(${n(column * side + side / 2)} ${n(row * side + side / 2)}) rotate(${turn})`;
      const [first, second] = [pick(colours, random), pick(colours, random)];
      const half = n(side / 2);
      const kind = random();
      const square = `<path d="M-${half}-${half}h${n(side)}v${n(side)}h-${n(side)}z" fill="${first}"/>`;
      const quarter = `<path d="M-${half}-${half}h${n(side)}a${n(side)} ${n(side)} 0 0 1-${n(side)} ${n(side)}z" fill="${second}"/>`;
      const halfDisc = `<path d="M-${half} 0a${half} ${half} 0 0 1 ${n(side)} 0z" fill="${second}"/>`;
      const disc = `<circle r="${n(side * 0.3)}" fill="${second}"/>`;
      const inner = kind < 0.12 ? '' : kind < 0.55 ? quarter : kind < 0.8 ? halfDisc : disc;
      shapes += `<g transform="${at}">${kind < 0.3 ? '' : square}${inner}</g>`;
    }
  }
  return shapes;
};

/** Rings around two points, as sound spreads. */
const rings: Compose = ({ width, height }, colours, random) => {
  const reach = Math.max(width, height);
  const draw = (x: number, y: number, count: number, step: number, offset: number) =>
    Array.from({ length: count }, (_, index) => {
      const radius = step * (count - index);
      return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${colours[(index + offset) % colours.length]}"/>`;
    }).join('');
  const x = width * (0.25 + random() * 0.5);
  const step = reach * (0.075 + random() * 0.03);
  const small = reach * (0.028 + random() * 0.02);
  return (
    draw(x, height * (0.8 + random() * 0.3), 8, step, 0) +
    draw(x > width / 2 ? width * 0.22 : width * 0.78, height * (0.22 + random() * 0.12), 4, small, 1)
  );
};

/** Waves over a sun. */
const waves: Compose = ({ width, height }, colours, random) => {
  const radius = Math.min(width, height) * (0.22 + random() * 0.1);
  const sun = `<circle cx="${n(width * (0.3 + random() * 0.4))}" cy="${n(height * 0.42)}" r="${n(radius)}" fill="${colours[1]}"/>`;
  const bands = 6;
  let shapes = sun;
  for (let band = 0; band < bands; band += 1) {
    const top = height * (0.42 + (band * 0.6) / bands);
    const swing = height * (0.05 + random() * 0.06);
    const shift = width * random() * 0.5;
    const period = width * (0.5 + random() * 0.25);
    let path = `M${n(-shift - period)} ${n(top)}`;
    for (let x = -shift - period; x < width + period; x += period) {
      path += `c${n(period * 0.25)} ${n(-swing)} ${n(period * 0.25)} ${n(-swing)} ${n(period * 0.5)} 0s${n(period * 0.25)} ${n(swing)} ${n(period * 0.5)} 0`;
    }
    shapes += `<path d="${path}V${n(height + swing)}H${n(-shift - period)}z" fill="${colours[(band + 2) % colours.length]}"/>`;
  }
  return shapes;
};

/** Beams from the stage. */
const beams: Compose = ({ width, height }, colours, random) => {
  const x = width * (0.3 + random() * 0.4);
  const y = height * (0.86 + random() * 0.1);
  const count = 22 + Math.floor(random() * 8) * 2;
  const reach = width + height;
  let shapes = '';
  for (let beam = 0; beam < count; beam += 2) {
    const [from, to] = [beam, beam + 1].map((step) => (step / count) * Math.PI * 2);
    const point = (angle: number) => `${n(x + Math.cos(angle) * reach)} ${n(y + Math.sin(angle) * reach)}`;
    shapes += `<path d="M${n(x)} ${n(y)}L${point(from!)}L${point(to!)}z" fill="${colours[(beam / 2) % 3]}"/>`;
  }
  const radius = Math.min(width, height) * (0.16 + random() * 0.08);
  return (
    `${shapes}<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius * 1.5)}" fill="${colours[3]}"/>` +
    `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${colours[1]}"/>`
  );
};

/** Columns that rise and fall, as a crowd or a sound level does. */
const columns: Compose = ({ width, height }, colours, random) => {
  const count = 9 + Math.floor(random() * 4);
  const gap = width / count;
  const phase = random() * Math.PI * 2;
  const turns = 1 + random() * 1.5;
  return Array.from({ length: count }, (_, index) => {
    const level = 0.5 + 0.32 * Math.sin(phase + (index / count) * Math.PI * 2 * turns) + random() * 0.16;
    const wide = gap * 0.74;
    const x = index * gap + (gap - wide) / 2;
    const split = height * (1 - level * (0.35 + random() * 0.3));
    const top = height * (1 - level);
    const colour = colours[index % 3]!;
    return (
      `<rect x="${n(x)}" y="${n(top)}" width="${n(wide)}" height="${n(height)}" rx="${n(wide / 2)}" fill="${colour}"/>` +
      `<rect x="${n(x)}" y="${n(split)}" width="${n(wide)}" height="${n(height)}" rx="${n(wide / 2)}" fill="${colours[3]}"/>` +
      `<circle cx="${n(x + wide / 2)}" cy="${n(top + wide / 2)}" r="${n(wide * 0.24)}" fill="${colours[(index + 1) % 3]}"/>`
    );
  }).join('');
};

export const compositions: readonly Compose[] = [tiles, rings, waves, beams, columns];
