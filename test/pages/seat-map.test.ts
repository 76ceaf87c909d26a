/** The seat map: geometry, camera and seat states. */
import { describe, expect, it } from 'vitest';
import { fitHall, lookAt, pan, toHall, zoom } from '../../src/pages/shop/seats/seat-map/camera.ts';
import {
  findNeighbour,
  findSeat,
  findSeatAt,
  forEachSeat,
  layOutHall,
  toSeatId,
} from '../../src/pages/shop/seats/seat-map/hall.ts';
import { countFree, findDifferences, isFree, setSeat } from '../../src/pages/shop/seats/seat-map/seat-states.ts';
import { shapeOf } from '../../src/pages/shop/seats/seat-map/section-shape.ts';

const section = (id: string, rows: number, seatsPerRow: number) => ({
  id,
  name: id,
  rows,
  seatsPerRow,
  price: 1_000,
  seats: Array.from({ length: rows }, () => '0'.repeat(seatsPerRow)),
});
const sections = [section('L', 10, 8), section('M', 12, 20), section('R', 10, 8), section('B', 5, 40)];
const hall = layOutHall(sections);
const view = { width: 400, height: 300 };

describe('a hall', () => {
  it('places every seat once, without overlap, inside the hall', () => {
    const taken = new Set<string>();
    for (const block of hall.blocks) {
      const { left, right, top, bottom } = block.bounds;
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(hall.width);
      expect(bottom).toBeLessThanOrEqual(hall.height);
      forEachSeat(block, (_row, _number, x, y) => taken.add(toSeatId(findSeatAt(hall, x, y)!)));
    }
    expect(taken.size).toBe(80 + 240 + 80 + 200);
  });

  it('finds seats by id, and moves across aisles by arrow key', () => {
    const seat = findSeat(hall, 'L-3-8')!;
    expect(toSeatId(seat)).toBe('L-3-8');
    expect(toSeatId(findNeighbour(hall, seat, 1, 0))).toBe('M-3-1');
    expect(toSeatId(findNeighbour(hall, seat, 0, -1))).toBe('L-2-8');
    expect(toSeatId(findNeighbour(hall, findSeat(hall, 'L-1-1')!, -1, 0))).toBe('L-1-1');
    expect(findSeat(hall, 'Z-1-1')).toBeUndefined();
  });
});

describe('the shape of a section', () => {
  const distance = (places: Float32Array, one: number, other: number) =>
    Math.hypot(places[one * 2]! - places[other * 2]!, places[one * 2 + 1]! - places[other * 2 + 1]!);

  it('bends rows around the stage, with one seat between neighbours and between rows', () => {
    const { places } = shapeOf({ rows: 4, seatsPerRow: 21, curve: 90 });
    // The ends of the front row are nearer to the stage than its middle.
    expect(places[1]).toBeLessThan(places[21]! - 2);
    for (const row of [0, 3]) expect(distance(places, row * 21, row * 21 + 1)).toBeCloseTo(1, 1);
    expect(distance(places, 10, 31)).toBeCloseTo(1, 5);
  });

  it('is a rectangle without a curve, and turns around its middle', () => {
    const { bounds } = shapeOf({ rows: 2, seatsPerRow: 6, rotate: 90 });
    for (const [side, at] of Object.entries({ left: -1, right: 1, top: -3, bottom: 3 })) {
      expect(bounds[side as keyof typeof bounds]).toBeCloseTo(at, 5);
    }
  });

  it('puts the seats of a table around it, and tables beside each other', () => {
    const { places, tables } = shapeOf({ kind: 'table', rows: 4, seatsPerRow: 8, across: 2 });
    expect(tables).toHaveLength(8);
    const far = Array.from({ length: 8 }, (_, seat) =>
      Math.hypot(places[seat * 2]! - tables![0]!, places[seat * 2 + 1]! - tables![1]!),
    );
    for (const radius of far) expect(radius).toBeCloseTo(far[0]!, 5);
    expect(distance(places, 0, 1)).toBeGreaterThan(1);
  });

  it('finds every seat of a curved, turned section and of tables, but no blocked one', () => {
    const curved = { ...section('C', 6, 20), curve: 80, rotate: -25, at: { x: 20, y: 10 } };
    curved.seats[0] = `3${curved.seats[0]!.slice(1)}`;
    const tables = { ...section('T', 6, 8), kind: 'table' as const, at: { x: 60, y: 12 } };
    const shaped = layOutHall([curved, tables]);
    const found = new Set<string>();
    for (const block of shaped.blocks) {
      forEachSeat(block, (_row, _number, x, y) => found.add(toSeatId(findSeatAt(shaped, x, y)!)));
    }
    expect(found.size).toBe(6 * 20 - 1 + 6 * 8);
    expect(found.has('C-1-1')).toBe(false);
    expect(findSeat(shaped, 'C-1-1')).toBeUndefined();
    const before = findSeat(shaped, 'C-3-10')!;
    expect(toSeatId(findNeighbour(shaped, before, 1, 0))).toMatch(/^C-/);
  });
});

describe('the camera', () => {
  it('starts with the whole hall and cannot zoom out further', () => {
    const camera = fitHall(hall, view);
    const corner = toHall(camera, { x: view.width, y: view.height });
    expect(camera.x).toBeLessThanOrEqual(0);
    expect(corner.x).toBeGreaterThanOrEqual(hall.width - 1e-9);
    expect(zoom(camera, 0.1, { x: 0, y: 0 }, hall, view)).toEqual(camera);
  });

  it('keeps the point under the pointer fixed while zooming', () => {
    const at = { x: 210, y: 160 };
    const near = lookAt({ x: 20, y: 15 }, 20, hall, view);
    const before = toHall(near, at);
    const after = toHall(zoom(near, 1.5, at, hall, view), at);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });

  it('stays within the hall', () => {
    const near = lookAt({ x: 20, y: 15 }, 20, hall, view);
    const far = pan(near, 100_000, 100_000, hall, view);
    expect(far).toMatchObject({ x: 0, y: 0 });
  });
});

describe('the states of seats', () => {
  it('report which seats are free and which have changed', () => {
    const before = [section('A', 2, 4)];
    const after = structuredClone(before);
    setSeat(after, 'A-2-3', '1');
    expect(isFree(after, 'A-2-3')).toBe(false);
    expect(isFree(after, 'A-2-2')).toBe(true);
    expect(countFree(after[0]!.seats[1]!)).toBe(3);
    expect(findDifferences(before, after)).toEqual([['A-2-3', '1']]);
    expect(findDifferences(before, [section('A', 3, 4)])).toBeUndefined();
    setSeat(after, 'A-9-9', '1');
    setSeat(after, 'Z-1-1', '1');
    expect(countFree(after[0]!.seats.join(''))).toBe(7);
  });
});
