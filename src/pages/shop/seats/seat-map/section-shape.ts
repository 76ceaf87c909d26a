/**
 * The shape of a section: the middles of its seats, around the middle of the section. Lengths are in seats: neighbouring seats
 * are 1 apart. The stage is in the direction of -y.
 */
import type { Section } from '../../../../shop/rules/layout.ts';

export interface SectionShape {
  /** x, y of each seat, row by row. */
  places: Float32Array;
  /** x, y of the middle of each table. */
  tables: Float32Array | undefined;
  tableRadius: number;
  /** Where its name stands. */
  label: { x: number; y: number };
  bounds: Bounds;
}

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export type ShapedSection = Pick<Section, 'rows' | 'seatsPerRow' | 'kind' | 'rotate' | 'curve' | 'across'>;

/** Between the seats of neighbouring tables. */
const TABLE_GAP = 1.2;
const LABEL_GAP = 0.5;
/** The ends of the front row are so much nearer to the stage than its middle that a name fits between them. */
const DEEP_ARC = 6;

export function shapeOf(section: ShapedSection): SectionShape {
  const shape = section.kind === 'table' ? placeTables(section) : placeRows(section);
  const angle = toRadians(section.rotate ?? 0);
  turn(shape.places, angle);
  if (shape.tables !== undefined) turn(shape.tables, angle);
  const bounds = boundsOf(shape.places);
  // Above the section; between the ends of a row that bends far around the stage.
  const isBetween = angle === 0 && shape.front - bounds.top > DEEP_ARC;
  const label = isBetween
    ? { x: 0, y: shape.front - LABEL_GAP }
    : { x: (bounds.left + bounds.right) / 2, y: bounds.top - LABEL_GAP };
  return { ...shape, label, bounds };
}

/** `front`: y of the front of the first row. */
interface Placed extends Pick<SectionShape, 'places' | 'tables' | 'tableRadius'> {
  front: number;
}

function placeRows({ rows, seatsPerRow, curve = 0 }: ShapedSection): Placed {
  const places = new Float32Array(rows * seatsPerRow * 2);
  // The radius at which the front row is as long as its arc. Rows behind it keep the distance between seats.
  const radius = curve === 0 ? 0 : seatsPerRow / toRadians(curve);
  for (let row = 0, at = 0; row < rows; row += 1) {
    for (let number = 0; number < seatsPerRow; number += 1, at += 2) {
      const [x, y] = [number + 0.5 - seatsPerRow / 2, row + 0.5];
      const angle = radius === 0 ? 0 : x / (radius + y);
      places[at] = radius === 0 ? x : (radius + y) * Math.sin(angle);
      places[at + 1] = (radius === 0 ? y : (radius + y) * Math.cos(angle) - radius) - rows / 2;
    }
  }
  return { places, tables: undefined, tableRadius: 0, front: -rows / 2 };
}

function placeTables({ rows, seatsPerRow, across }: ShapedSection): Placed {
  const radius = Math.max(1, (seatsPerRow * 1.15) / (2 * Math.PI));
  const cell = 2 * radius + 1 + TABLE_GAP;
  const columns = Math.min(rows, across ?? Math.ceil(Math.sqrt(rows * 1.5)));
  const lines = Math.ceil(rows / columns);
  const places = new Float32Array(rows * seatsPerRow * 2);
  const tables = new Float32Array(rows * 2);
  for (let table = 0, at = 0; table < rows; table += 1) {
    const x = ((table % columns) + 0.5 - columns / 2) * cell;
    const y = (Math.floor(table / columns) + 0.5 - lines / 2) * cell;
    tables.set([x, y], table * 2);
    for (let number = 0; number < seatsPerRow; number += 1, at += 2) {
      // Clockwise from the top.
      const angle = (number / seatsPerRow) * 2 * Math.PI;
      places[at] = x + radius * Math.sin(angle);
      places[at + 1] = y - radius * Math.cos(angle);
    }
  }
  return { places, tables, tableRadius: radius - 0.55, front: (-lines * cell) / 2 + TABLE_GAP / 2 };
}

function turn(places: Float32Array, angle: number): void {
  if (angle === 0) return;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  for (let at = 0; at < places.length; at += 2) {
    const [x, y] = [places[at]!, places[at + 1]!];
    places[at] = x * cos - y * sin;
    places[at + 1] = x * sin + y * cos;
  }
}

/** Of whole seats, half a seat around their middles. */
function boundsOf(places: Float32Array): Bounds {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let at = 0; at < places.length; at += 2) {
    const [x, y] = [places[at]!, places[at + 1]!];
    bounds.left = Math.min(bounds.left, x - 0.5);
    bounds.right = Math.max(bounds.right, x + 0.5);
    bounds.top = Math.min(bounds.top, y - 0.5);
    bounds.bottom = Math.max(bounds.bottom, y + 0.5);
  }
  return bounds;
}

function toRadians(degrees: number): number {
  return (degrees / 180) * Math.PI;
}
