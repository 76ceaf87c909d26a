/** Colours, logo and text overrides of the pages: the defaults, and how a theme file is read. */
import { catalogues } from '../texts/catalogues.ts';
import { type VisitorLanguage, visitorLanguages } from '../texts/language.ts';
import { COLOUR, contrastOf, inkOn, mix } from './colours.ts';
import { type Organiser, readOrganiser } from './organiser.ts';

const paletteNames = ['ground', 'card', 'ink', 'soft', 'line', 'accent', 'warn', 'danger', 'good'] as const;
type Palette = Record<(typeof paletteNames)[number], string>;
const schemes = ['light', 'dark'] as const;
type Scheme = (typeof schemes)[number];

export interface Theme {
  colours: Record<Scheme, Palette>;
  logo: string | undefined;
  organiser: Organiser;
  /** Overrides of catalogue texts, keyed like `waiting.title`. */
  texts: Record<VisitorLanguage, Record<string, string>>;
}

export const defaultTheme: Theme = {
  colours: {
    light: {
      ground: '#f6f6f9',
      card: '#ffffff',
      ink: '#13141a',
      soft: '#575d6e',
      line: '#e2e4ec',
      accent: '#4338ca',
      warn: '#8a4600',
      danger: '#b42318',
      good: '#0b6e45',
    },
    dark: {
      ground: '#0d0e13',
      card: '#16181f',
      ink: '#f3f4f8',
      soft: '#a6adbd',
      line: '#2b2f3b',
      accent: '#aab2ff',
      warn: '#ffbf75',
      danger: '#ff9d94',
      good: '#6bdca8',
    },
  },
  logo: undefined,
  organiser: {},
  texts: { ko: {}, en: {}, ja: {}, 'zh-Hans': {} },
};

export type ReadTheme = { outcome: 'read'; theme: Theme } | { outcome: 'invalid'; problems: string[] };
type Json = Record<string, unknown>;

const LOGO = /^(https:\/\/[A-Za-z0-9.-]+(:\d+)?\/|\/(?!\/))[A-Za-z0-9/_.~%-]{0,500}$/;
const LONGEST_TEXT = 500;
const ENOUGH_CONTRAST = 4.5;

/** Reads a parsed theme file. Reports every problem with its field. */
export function readTheme(json: unknown): ReadTheme {
  const problems: string[] = [];
  const theme = structuredClone(defaultTheme);
  const { name, logo, organiser, colours, texts, ...others } = toObject(json, 'the file', problems);
  for (const field of Object.keys(others)) problems.push(`${field} is not a known field`);
  if (logo !== undefined) {
    if (typeof logo === 'string' && LOGO.test(logo)) theme.logo = logo;
    else problems.push('logo must be an https URL or a path of this site');
  }
  theme.organiser = readOrganiser(organiser, problems);
  readColours(colours, theme, problems);
  readTexts(texts, theme, problems);
  for (const [language, text] of Object.entries(toObject(name, 'name', problems))) {
    setText({ theme, language, key: 'common.brand', text, at: `name.${language}` }, problems);
  }
  return problems.length > 0 ? { outcome: 'invalid', problems } : { outcome: 'read', theme };
}

function readColours(json: unknown, theme: Theme, problems: string[]): void {
  for (const [scheme, palette] of Object.entries(toObject(json, 'colours', problems))) {
    if (!isOneOf(schemes, scheme)) {
      problems.push(`colours.${scheme} is not a known field; expected light or dark`);
      continue;
    }
    for (const [name, colour] of Object.entries(toObject(palette, `colours.${scheme}`, problems))) {
      const at = `colours.${scheme}.${name}`;
      if (!isOneOf(paletteNames, name))
        problems.push(`${at} is not a known colour; expected one of ${paletteNames.join(', ')}`);
      else if (typeof colour !== 'string' || !COLOUR.test(colour))
        problems.push(`${at} must be a hex colour such as #2447c5`);
      else theme.colours[scheme][name] = colour.toLowerCase();
    }
  }
}

function readTexts(json: unknown, theme: Theme, problems: string[]): void {
  for (const [language, overrides] of Object.entries(toObject(json, 'texts', problems))) {
    for (const [key, text] of Object.entries(toObject(overrides, `texts.${language}`, problems))) {
      setText({ theme, language, key, text, at: `texts.${language}.${key}` }, problems);
    }
  }
}

interface Override {
  theme: Theme;
  language: string;
  key: string;
  text: unknown;
  at: string;
}

function setText({ theme, language, key, text, at }: Override, problems: string[]): void {
  const [part, name] = key.split('.') as [string, string | undefined];
  if (!isOneOf(visitorLanguages, language))
    problems.push(`${at}: unknown language; expected ${visitorLanguages.join(', ')}`);
  else if ((catalogues.en as Record<string, Json>)[part]?.[name ?? ''] === undefined) {
    problems.push(`${at} is not a known text`);
  } else if (typeof text !== 'string' || text.length === 0 || text.length > LONGEST_TEXT) {
    problems.push(`${at} must be text of 1 to ${LONGEST_TEXT} characters`);
  } else theme.texts[language][key] = text;
}

/** Colour pairs below the WCAG AA contrast. */
export function findFaintColours({ colours }: Theme): string[] {
  return schemes.flatMap((scheme) => {
    const palette = colours[scheme];
    const pairs = (['ink', 'soft', 'accent', 'warn', 'danger', 'good'] as const).flatMap((text) =>
      (['ground', 'card'] as const).map((ground) => [text, ground] as const),
    );
    return pairs
      .map(([text, ground]) => ({ text, ground, contrast: contrastOf(palette[text], palette[ground]) }))
      .filter(({ contrast }) => contrast < ENOUGH_CONTRAST)
      .map(({ text, ground, contrast }) => `${scheme}: ${text} on ${ground} has a contrast of ${contrast.toFixed(1)}`);
  });
}

/** The same variables for parts of one page: `.light`, `.dark`, `.contrast` (tokens.css has the rules of the last). */
export function toModeStyle({ colours: { light, dark } }: Theme): string {
  return (
    `.mode.light{color-scheme:light;${toVariables(light)}}.mode.dark{color-scheme:dark;${toVariables(dark)}}` +
    `.mode.contrast{color-scheme:light;${toVariables({ ...light, soft: light.ink, line: light.ink })}}`
  );
}

/** The theme as the CSS variables that all style sheets use. */
export function toStyle({ colours }: Theme): string {
  return (
    `:root{color-scheme:light dark;${toVariables(colours.light)}}` +
    `@media (prefers-color-scheme:dark){:root{${toVariables(colours.dark)}}}`
  );
}

function toVariables(palette: Palette): string {
  const tint = (colour: string) => mix(palette.card, colour, 0.08);
  const derived = {
    'on-accent': inkOn(palette.accent),
    calm: tint(palette.accent),
    'warn-tint': tint(palette.warn),
    'danger-tint': tint(palette.danger),
    'good-tint': tint(palette.good),
  };
  return Object.entries({ ...palette, ...derived })
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
}

function toObject(json: unknown, at: string, problems: string[]): Json {
  if (json === undefined) return {};
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Json;
  problems.push(`${at} must be an object`);
  return {};
}

function isOneOf<T extends string>(values: readonly T[], value: string): value is T {
  return (values as readonly string[]).includes(value);
}
