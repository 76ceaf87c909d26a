/**
 * The poster of an event without an image: an SVG that follows from the event alone. Picture above, words below on plain
 * ground, so that any title stays readable; for previews of links side by side.
 */
import { compositions } from './compositions.ts';
import { palettes } from './palettes.ts';
import { pick, randomOf } from './random.ts';
import { fitLines, type Lines } from './text-lines.ts';

export interface PosterEvent {
  eventId: string;
  title: string;
  artist: string;
  venue: string;
  startsAt: string;
  /** Of the venue. */
  timeZone?: string;
}

export type PosterShape = 'portrait' | 'wide';

const DEFAULT_ZONE = 'Asia/Seoul';
const FONT =
  "'Pretendard Variable',Pretendard,'Apple SD Gothic Neo','Noto Sans KR','Noto Sans CJK KR',system-ui,sans-serif";

const shapes = {
  portrait: {
    width: 600,
    height: 800,
    picture: { x: 0, y: 0, width: 600, height: 470 },
    text: { x: 40, top: 528, width: 520, end: 756 },
    sizes: [62, 52, 44, 37, 32],
    lines: 3,
  },
  wide: {
    width: 1200,
    height: 630,
    picture: { x: 0, y: 0, width: 510, height: 630 },
    text: { x: 570, top: 96, width: 570, end: 566 },
    sizes: [76, 66, 56, 48, 40],
    lines: 4,
  },
} as const;

export function toPosterSvg(event: PosterEvent, shape: PosterShape): string {
  const { width, height, picture, text, sizes, lines } = shapes[shape];
  const random = randomOf(event.eventId);
  const palette = pick(palettes, random);
  const compose = pick(compositions, random);
  const art = compose(picture, palette.shapes, random);
  const title = fitLines(event.title, text.width, lines, sizes);
  const titleTop = text.top + title.size * 0.5;
  const afterTitle = titleTop + title.size * 1.16 * (title.lines.length - 1);
  const artist = event.artist === '' ? [] : fitLines(event.artist, text.width, 1, [26]).lines;
  const last = fitLines([toDay(event), event.venue].filter(Boolean).join(' · '), text.width, 1, [22]);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<title>${escapeXml(event.title)}</title>` +
    `<clipPath id="p"><path d="M${picture.x} ${picture.y}h${picture.width}v${picture.height}h-${picture.width}z"/></clipPath>` +
    `<path d="M0 0h${width}v${height}H0z" fill="${palette.ground}"/><g clip-path="url(#p)">${art}</g>` +
    `<g fill="${palette.ink}" font-family="${FONT}">` +
    `<g font-size="${title.size}" font-weight="800" letter-spacing="-${title.size * 0.02}">${toTexts(title, text.x, titleTop)}</g>` +
    artist.map((line) => toText(line, text.x, afterTitle + 50, 'font-size="26" font-weight="600"')).join('') +
    `${toText(last.lines[0]!, text.x, text.end, 'font-size="22" font-weight="500"')}</g></svg>`
  );
}

/** In numbers, as posters write it; the day at the venue. */
function toDay({ startsAt, timeZone = DEFAULT_ZONE }: PosterEvent): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return format.format(new Date(startsAt)).replaceAll('-', '.');
}

function toTexts({ size, lines }: Lines, x: number, top: number): string {
  return lines.map((line, index) => toText(line, x, Math.round(top + index * size * 1.16), '')).join('');
}

function toText(text: string, x: number, y: number, attributes: string): string {
  return `<text x="${x}" y="${y}"${attributes === '' ? '' : ` ${attributes}`}>${escapeXml(text)}</text>`;
}

/** XML allows no control characters, not even escaped. */
function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  );
}
