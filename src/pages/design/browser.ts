/** Shared by all pages in the browser: embedded facts, language, local storage, jitter. */
import {
  LANGUAGE_COOKIE,
  type Language,
  toLanguage,
  toVisitorLanguage,
  type VisitorLanguage,
} from '../texts/language.ts';
import type { Organiser } from './organiser.ts';

export interface Facts {
  logo?: string;
  organiser: Organiser;
  /** On shop pages. */
  refundUntilHours?: number;
  texts: Record<VisitorLanguage, Record<string, string>>;
}

const YEAR_SECONDS = 31_536_000;

export const facts: Facts = JSON.parse(document.getElementById('facts')!.textContent!);

/** Of the operator page. */
export function readLanguage(): Language {
  return toLanguage(chosenLanguage(), navigator.languages.join(','));
}

/** Of the pages for visitors. */
export function readVisitorLanguage(): VisitorLanguage {
  return toVisitorLanguage(chosenLanguage(), navigator.languages.join(','));
}

function chosenLanguage(): string | undefined {
  return new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=([\\w-]+)`).exec(document.cookie)?.[1];
}

export function chooseLanguage(language: VisitorLanguage): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet.
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}

/** One part of the catalogue with the overrides of the theme. */
export function withTheme<T extends Record<string, string>>(part: string, language: VisitorLanguage, texts: T): T {
  const overrides = facts.texts[language];
  const own = Object.keys(texts).filter((name) => `${part}.${name}` in overrides);
  return { ...texts, ...Object.fromEntries(own.map((name) => [name, overrides[`${part}.${name}`]])) };
}

/** `page` if it is one of this site. */
export function ownPage(page: string | null): string | undefined {
  return page !== null && new URL(page, location.origin).origin === location.origin ? page : undefined;
}

/** Browsers may refuse local storage, so nothing depends on it. */
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

/** Milliseconds, ±25 %: spreads the requests of pages that were told the same delay. */
export function jitter(seconds: number): number {
  return seconds * 1000 * (0.75 + Math.random() / 2);
}
