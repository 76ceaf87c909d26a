/** Picks the visitor's language: the chosen one, else the first supported language of Accept-Language. */

export type Language = 'ko' | 'en';

/** Not HttpOnly: the page writes it. */
export const LANGUAGE_COOKIE = 'fairline-language';

export function toLanguage(chosen: string | undefined, asked: string | undefined): Language {
  if (chosen === 'ko' || chosen === 'en') return chosen;
  const first = (asked ?? '').toLowerCase().match(/\b(?:ko|en)\b/);
  return first?.[0] === 'ko' ? 'ko' : 'en';
}

/** Replaces each `{name}` by its value. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
