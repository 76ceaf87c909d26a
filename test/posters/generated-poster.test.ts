import { describe, expect, it } from 'vitest';
import { contrastOf } from '../../src/pages/design/colours.ts';
import { compositions } from '../../src/posters/generated/compositions.ts';
import { type PosterEvent, toPosterSvg } from '../../src/posters/generated/generated-poster.ts';
import { palettes } from '../../src/posters/generated/palettes.ts';
import { fitLines, widthOf } from '../../src/posters/generated/text-lines.ts';

const event: PosterEvent = {
  eventId: 'spring-night',
  title: 'Spring Night',
  artist: 'The Lanterns',
  venue: 'Olympic Hall',
  startsAt: '2026-12-24T16:30:00Z',
};

describe('a generated poster', () => {
  it('is the same for the same event, and another for another event', () => {
    expect(toPosterSvg(event, 'portrait')).toBe(toPosterSvg({ ...event }, 'portrait'));
    expect(toPosterSvg({ ...event, eventId: 'winter' }, 'portrait')).not.toBe(toPosterSvg(event, 'portrait'));
  });

  it('uses every composition and every palette over many events', () => {
    const grounds = new Set<string>();
    for (let i = 0; i < 300; i += 1) {
      const svg = toPosterSvg({ ...event, eventId: `event-${i}` }, 'portrait');
      grounds.add(/V?0z" fill="(#[0-9a-f]{6})"\/><g clip/.exec(svg)![1]!);
      expect(svg).not.toMatch(/NaN|undefined/);
    }
    expect(grounds.size).toBe(palettes.length);
    expect(compositions.length).toBeGreaterThanOrEqual(5);
  });

  it.each(palettes.map(({ ground, ink }) => [ink, ground]))(
    'has text with enough contrast: %s on %s',
    (ink, ground) => {
      expect(contrastOf(ink!, ground!)).toBeGreaterThan(7);
    },
  );

  it('escapes what operators wrote', () => {
    const svg = toPosterSvg({ ...event, title: '<script>&"\u0000', artist: "</text>'" }, 'wide');
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&#60;script&#62;&#38;&#34;');
    expect(svg).toContain('&#60;/text&#62;&#39;');
  });

  it('shows the day at the venue', () => {
    expect(toPosterSvg(event, 'portrait')).toContain('2026.12.25 · Olympic Hall');
    expect(toPosterSvg({ ...event, timeZone: 'Europe/London' }, 'portrait')).toContain('2026.12.24 · Olympic Hall');
  });
});

describe('lines of a title', () => {
  it('break between words, and inside a word that is longer than a line', () => {
    expect(fitLines('One two three', 100, 3, [20]).lines).toEqual(['One two', 'three']);
    const { lines } = fitLines('한여름밤의꿈처럼아주길고띄어쓰기없는제목', 200, 4, [40, 30]);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(widthOf(line) * 40).toBeLessThanOrEqual(200);
  });

  it('shrink until they fit, and end in an ellipsis at the smallest size', () => {
    expect(fitLines('Short', 500, 3, [60, 30]).size).toBe(60);
    const long = fitLines('word '.repeat(100), 500, 3, [60, 30]);
    expect(long.size).toBe(30);
    expect(long.lines).toHaveLength(3);
    expect(long.lines.at(-1)).toMatch(/…$/);
    expect(widthOf(long.lines.at(-1)!) * 30).toBeLessThanOrEqual(500);
  });
});
