/** The languages, and which one a visitor gets: the chosen one, else the first supported one of Accept-Language. */

/** Of the operator page and of mails. */
export type Language = 'ko' | 'en';

/** Of the pages for visitors, each by its own name. A new language is a catalogue like ja.ts and its name here. */
export const languageNames = { ko: '한국어', en: 'English', ja: '日本語', 'zh-Hans': '简体中文' } as const;
export type VisitorLanguage = keyof typeof languageNames;
export const visitorLanguages = Object.keys(languageNames) as readonly VisitorLanguage[];

/** Not HttpOnly: the page writes it. */
export const LANGUAGE_COOKIE = 'fairline-language';

export function toLanguage(chosen: string | undefined, asked: string | undefined): Language {
  if (chosen === 'ko' || chosen === 'en') return chosen;
  const first = (asked ?? '').toLowerCase().match(/\b(?:ko|en)\b/);
  return first?.[0] === 'ko' ? 'ko' : 'en';
}

export function toVisitorLanguage(chosen: string | undefined, asked: string | undefined): VisitorLanguage {
  const own = visitorLanguages.find((language) => language === chosen);
  if (own !== undefined) return own;
  const tags = (asked ?? '').toLowerCase().split(',');
  const found = tags.flatMap((tag) => visitorLanguages.filter((each) => tag.trim().split(/[-;]/)[0] === baseOf(each)));
  return found[0] ?? 'en';
}

/** zh of zh-Hans: a reader of traditional characters gets the simplified ones rather than English. */
function baseOf(language: VisitorLanguage): string {
  return language.split('-')[0]!;
}

/** Replaces each `{name}` by its value. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
