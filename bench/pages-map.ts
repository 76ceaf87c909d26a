/** Measures frames of the seat map during a drag or a zoom, with one pointer or wheel event per frame. */
import type { Page } from 'playwright-core';
import { effort } from './report.ts';

const FRAMES = effort(180, 20);

export interface Frames {
  perSecond: number;
  /** The 95th percentile of the frame time. */
  slowMs: number;
}

export function drag(page: Page): Promise<Frames> {
  return countFrames(
    page,
    `const send = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, {
      pointerId: 1, bubbles: true, clientX: x + box.x, clientY: y + box.y,
    }));
    canvas.setPointerCapture = () => {};
    send('pointerdown', 200, 150);`,
    "send('pointermove', 200 + 120 * Math.sin(i / 15), 150 + 90 * Math.cos(i / 15));",
    "send('pointerup', 0, 0);",
  );
}

/** Zooms in and out. */
export function zoom(page: Page): Promise<Frames> {
  return countFrames(
    page,
    '',
    `canvas.dispatchEvent(new WheelEvent('wheel', {
      deltaY: 60 * Math.sin(i / 15 + Math.PI), cancelable: true, clientX: box.x + 180, clientY: box.y + 150,
    }));`,
    '',
  );
}

async function countFrames(page: Page, begin: string, step: string, end: string): Promise<Frames> {
  const times = (await page.evaluate(`(async () => {
    const canvas = document.querySelector('canvas');
    const box = canvas.getBoundingClientRect();
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const times = [];
    ${begin}
    let last = await frame();
    for (let i = 0; i < ${FRAMES}; i += 1) {
      ${step}
      const now = await frame();
      times.push(now - last);
      last = now;
    }
    ${end}
    return times;
  })()`)) as number[];
  const sorted = [...times].sort((a, b) => a - b);
  return {
    perSecond: 1000 / (times.reduce((sum, ms) => sum + ms, 0) / times.length),
    slowMs: sorted[Math.floor(sorted.length * 0.95)]!,
  };
}
