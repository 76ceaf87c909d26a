/** Which language a visitor reads: what they chose, else the first they ask for that is spoken here. */

export type Language = 'ko' | 'en';

/** The choice is the page's to write and everybody's to read, so it is not HttpOnly. */
export const LANGUAGE_COOKIE = 'fairline-language';

export function toLanguage(chosen: string | undefined, asked: string | undefined): Language {
  if (chosen === 'ko' || chosen === 'en') return chosen;
  const first = (asked ?? '').toLowerCase().match(/\b(?:ko|en)\b/);
  return first?.[0] === 'ko' ? 'ko' : 'en';
}

/** `{word}` in a text becomes the value of that name. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
