/** The visible part of the hall and its scale. Pure: a camera in, a camera out. */
import type { Hall, Point } from './hall.ts';

/** `x`, `y`: the hall coordinates of the upper left corner; `scale`: pixels per seat. */
export interface Camera {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

const LARGEST_SEAT = 44;

export function fitHall(hall: Hall, view: Size): Camera {
  const scale = Math.min(view.width / hall.width, view.height / hall.height, LARGEST_SEAT);
  return keepInView({ x: 0, y: 0, scale }, hall, view);
}

/** Keeps the point under `at` fixed. */
export function zoom(camera: Camera, factor: number, at: Point, hall: Hall, view: Size): Camera {
  const smallest = fitHall(hall, view).scale;
  const scale = Math.min(Math.max(camera.scale * factor, smallest), LARGEST_SEAT);
  const [x, y] = [camera.x + at.x / camera.scale, camera.y + at.y / camera.scale];
  return keepInView({ scale, x: x - at.x / scale, y: y - at.y / scale }, hall, view);
}

export function pan(camera: Camera, dx: number, dy: number, hall: Hall, view: Size): Camera {
  return keepInView({ ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale }, hall, view);
}

/** Centres `place`. */
export function lookAt(place: Point, scale: number, hall: Hall, view: Size): Camera {
  return keepInView({ scale, x: place.x - view.width / scale / 2, y: place.y - view.height / scale / 2 }, hall, view);
}

export function toHall({ x, y, scale }: Camera, at: Point): Point {
  return { x: x + at.x / scale, y: y + at.y / scale };
}

function keepInView(camera: Camera, hall: Hall, view: Size): Camera {
  const keep = (value: number, seen: number, all: number) =>
    seen >= all ? (all - seen) / 2 : Math.min(Math.max(value, 0), all - seen);
  const { scale } = camera;
  return {
    scale,
    x: keep(camera.x, view.width / scale, hall.width),
    y: keep(camera.y, view.height / scale, hall.height),
  };
}
