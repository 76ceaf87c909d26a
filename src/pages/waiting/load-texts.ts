/** Loads the texts of one language, from a file beside the page's script. */
import type { CommonTexts, WaitingTexts } from '../texts/en.ts';
import type { VisitorLanguage } from '../texts/language.ts';
import type { QuestionTexts } from '../texts/questions-en.ts';

export interface Texts {
  common: CommonTexts;
  waiting: WaitingTexts;
  questions: QuestionTexts;
}

/** The build's hash of the texts: the files are cached for good, so a new text needs a new URL. */
declare const TEXTS_VERSION: string;

const LONGEST_PAUSE_MS = 30_000;

/** Retries until it succeeds. A browser remembers that a module failed, so every attempt has its own URL. */
export async function loadTexts(language: VisitorLanguage): Promise<Texts> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const file = `texts-${language}.js?v=${TEXTS_VERSION}${attempt === 0 ? '' : `&try=${attempt}`}`;
      return await import(/* @vite-ignore */ import.meta.url.replace(/[^/]*$/, file));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** attempt)));
    }
  }
}
