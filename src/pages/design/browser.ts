/** What every page does alike in a browser: the facts it was sent with, the visitor's language, a little memory. */
import { fill, LANGUAGE_COOKIE, type Language, toLanguage } from '../texts/language.ts';

export interface Facts {
  logo?: string;
  texts: Record<Language, Record<string, string>>;
  /** Where whoever is let in goes; `{eventId}` in it is the event. */
  target?: string;
}

const YEAR_SECONDS = 31_536_000;

export const facts: Facts = JSON.parse(document.getElementById('facts')!.textContent!);

export function readLanguage(): Language {
  const chosen = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`).exec(document.cookie)?.[1];
  return toLanguage(chosen, navigator.languages.join(','));
}

export function chooseLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet.
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}

/** A part of the catalogue with what the theme says instead. */
export function withTheme<T extends Record<string, string>>(part: string, language: Language, texts: T): T {
  const overrides = facts.texts[language];
  const own = Object.keys(texts).filter((name) => `${part}.${name}` in overrides);
  return { ...texts, ...Object.fromEntries(own.map((name) => [name, overrides[`${part}.${name}`]])) };
}

export function targetOf(eventId: string): string {
  return fill(facts.target ?? '/events/{eventId}/seats', { eventId });
}

/** A browser may forbid it; nothing depends on it. */
export function remember(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {}
}

export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Everybody waits a little longer or shorter than told, so that they do not come all at once. */
export function jitter(seconds: number): number {
  return seconds * 1000 * (0.75 + Math.random() / 2);
}
