/** Translates pointer and wheel events on the map to pan, zoom and tap. */
import type { Point } from './hall.ts';

export interface Gestures {
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  tap(at: Point): void;
}

/** A pointer that moved less than this is a tap. */
const TAP_PIXELS = 8;
const WHEEL_SPEED = 0.0018;

export function listenToGestures(canvas: HTMLCanvasElement, on: Gestures): void {
  const fingers = new Map<number, Point>();
  let moved = 0;

  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (fingers.size === 0) moved = 0;
    fingers.set(event.pointerId, placeOf(event));
  });
  canvas.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const now = placeOf(event);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    fingers.set(event.pointerId, now);
    moved += distance(before, now);
    if (other === undefined) {
      if (moved > TAP_PIXELS) on.pan(now.x - before.x, now.y - before.y);
      return;
    }
    // Two fingers: the point between them stays fixed.
    on.zoom(distance(now, other) / Math.max(1, distance(before, other)), middle(before, other));
    on.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  });
  const lift = (event: PointerEvent) => {
    const wasOnly = fingers.size === 1 && fingers.delete(event.pointerId);
    fingers.delete(event.pointerId);
    if (wasOnly && event.type === 'pointerup' && moved <= TAP_PIXELS) on.tap(placeOf(event));
  };
  canvas.addEventListener('pointerup', lift);
  canvas.addEventListener('pointercancel', lift);
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      on.zoom(Math.exp(-event.deltaY * WHEEL_SPEED * (event.ctrlKey ? 4 : 1)), placeOf(event));
    },
    { passive: false },
  );
}

function placeOf({ offsetX, offsetY }: MouseEvent): Point {
  return { x: offsetX, y: offsetY };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
