/** The outlines of seats. Each price has a form of its own, because colour alone is not accessible. */
type Pen = CanvasRenderingContext2D;

/** Adds the outline of a seat around its middle; `size` is its width. */
export type Form = (pen: Pen, x: number, y: number, size: number) => void;

/** By price, highest first; the legend shows the same forms (seats.css). */
export const FORMS: readonly Form[] = [
  (pen, x, y, size) => pen.roundRect(x - size / 2, y - size / 2, size, size, size * 0.24),
  (pen, x, y, size) => {
    pen.moveTo(x + size * 0.52, y);
    pen.arc(x, y, size * 0.52, 0, 2 * Math.PI);
  },
  (pen, x, y, size) => polygon(pen, x, y, size * 0.6, 6),
  (pen, x, y, size) => polygon(pen, x, y, size * 0.6, 4),
  (pen, x, y, size) => {
    pen.moveTo(x - size / 2, y + size / 2);
    pen.lineTo(x - size / 2, y);
    pen.arc(x, y, size / 2, Math.PI, 0);
    pen.lineTo(x + size / 2, y + size / 2);
    pen.closePath();
  },
];

function polygon(pen: Pen, x: number, y: number, radius: number, corners: number): void {
  for (let corner = 0; corner < corners; corner += 1) {
    const angle = (corner / corners) * 2 * Math.PI;
    const [px, py] = [x + radius * Math.sin(angle), y - radius * Math.cos(angle)];
    if (corner === 0) pen.moveTo(px, py);
    else pen.lineTo(px, py);
  }
  pen.closePath();
}

/** A person in a wheelchair. Drawn, because not every device has the character. */
export function drawWheelchair(pen: Pen, x: number, y: number, size: number): void {
  pen.lineWidth = Math.max(1.2, size * 0.09);
  pen.beginPath();
  pen.arc(x - size * 0.02, y + size * 0.14, size * 0.2, -0.6, Math.PI * 1.25);
  pen.moveTo(x - size * 0.08, y - size * 0.16);
  pen.lineTo(x - size * 0.04, y + size * 0.06);
  pen.lineTo(x + size * 0.18, y + size * 0.06);
  pen.lineTo(x + size * 0.28, y + size * 0.28);
  pen.stroke();
  dot(pen, x - size * 0.09, y - size * 0.28, size * 0.075);
}

/** A standing person. */
export function drawCompanion(pen: Pen, x: number, y: number, size: number): void {
  dot(pen, x, y - size * 0.17, size * 0.12);
  pen.beginPath();
  pen.arc(x, y + size * 0.28, size * 0.24, Math.PI, 0);
  pen.fill();
}

export function drawTick(pen: Pen, x: number, y: number, size: number): void {
  pen.lineWidth = Math.max(2, size * 0.1);
  pen.beginPath();
  pen.moveTo(x - size * 0.22, y + size * 0.02);
  pen.lineTo(x - size * 0.05, y + size * 0.18);
  pen.lineTo(x + size * 0.24, y - size * 0.16);
  pen.stroke();
}

export function dot(pen: Pen, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}
