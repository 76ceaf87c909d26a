/**
 * Breaks a title into lines for an SVG, which cannot wrap text. Widths are estimates that hold for any font of the system:
 * a Korean, Japanese or Chinese sign is as wide as it is high, a Latin letter about half.
 */
const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]/;
const NARROW = /[ iIjl.,:;'!|·()[\]]/;
const CAPITAL = /[A-Z0-9@%&MWmw]/;

/** In units of the font size. */
export function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) {
    if (WIDE.test(sign)) width += 0.96;
    else if (NARROW.test(sign)) width += 0.32;
    else if (CAPITAL.test(sign)) width += 0.72;
    else width += sign.codePointAt(0)! > 0xffff ? 1.2 : 0.58;
  }
  return width;
}

export interface Lines {
  size: number;
  lines: string[];
}

/** The largest of `sizes` at which the text fits; at the smallest one, what does not fit ends in an ellipsis. */
export function fitLines(text: string, width: number, mostLines: number, sizes: readonly number[]): Lines {
  for (const size of sizes) {
    const lines = breakLines(text, width / size);
    if (lines.length <= mostLines) return { size, lines };
  }
  const size = sizes.at(-1)!;
  const lines = breakLines(text, width / size);
  return { size, lines: [...lines.slice(0, mostLines - 1), shorten(lines[mostLines - 1]!, width / size)] };
}

function breakLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.trim().split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(word, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1)!;
  }
  return [...lines, line];
}

/** A word longer than a line breaks between any two signs. */
function breakWord(word: string, width: number): string[] {
  const pieces = [''];
  for (const sign of word) {
    const last = pieces.at(-1)!;
    if (last !== '' && widthOf(last + sign) > width) pieces.push(sign);
    else pieces[pieces.length - 1] = last + sign;
  }
  return pieces;
}

function shorten(line: string, width: number): string {
  const signs = [...line];
  while (signs.length > 1 && widthOf(`${signs.join('')}…`) > width) signs.pop();
  return `${signs.join('').trimEnd()}…`;
}
