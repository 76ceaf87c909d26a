/** The seat map: geometry, camera and seat states. */
import { describe, expect, it } from 'vitest';
import { fitHall, lookAt, pan, toHall, zoom } from '../../src/pages/shop/seats/seat-map/camera.ts';
import { findNeighbour, findSeat, findSeatAt, layOutHall, toSeatId } from '../../src/pages/shop/seats/seat-map/hall.ts';
import { countFree, findDifferences, isFree, setSeat } from '../../src/pages/shop/seats/seat-map/seat-states.ts';

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
    for (const {
      section: { rows, seatsPerRow },
      x,
      y,
    } of hall.blocks) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + seatsPerRow).toBeLessThanOrEqual(hall.width);
      expect(y + rows).toBeLessThanOrEqual(hall.height);
      for (let row = 0; row < rows; row += 1) {
        for (let number = 0; number < seatsPerRow; number += 1) {
          const seat = findSeatAt(hall, x + number + 0.5, y + row + 0.5)!;
          taken.add(toSeatId(seat));
        }
      }
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
