/** Colour arithmetic: contrast and mixing. */

export const COLOUR = /^#[0-9a-f]{6}$/i;

/** WCAG 2 contrast ratio: 1 for equal colours, 21 for black on white. Text needs 4.5. */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** `share`: how much of the second colour, 0 to 1. */
export function mix(one: string, other: string, share: number): string {
  const [a, b] = [channelsOf(one), channelsOf(other)];
  return `#${a.map((value, index) => toHex(value + (b[index]! - value) * share)).join('')}`;
}

/** Black or white text, whichever has more contrast on `ground`. */
export function inkOn(ground: string): string {
  return contrastOf('#ffffff', ground) >= contrastOf('#101216', ground) ? '#ffffff' : '#101216';
}

function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

function toHex(value: number): string {
  return Math.round(value).toString(16).padStart(2, '0');
}
