/** The texts in the language of a request, with the overrides of the theme. */
import type { IncomingHttpHeaders } from 'node:http';
import { readCookie } from '../../platform/http-server/cookies.ts';
import type { Theme } from '../design/theme.ts';
import { visitorCatalogues } from '../texts/catalogues.ts';
import type { CommonTexts, FrameTexts, Tier1Texts, WaitingTexts } from '../texts/en.ts';
import {
  LANGUAGE_COOKIE,
  type Language,
  toLanguage,
  toVisitorLanguage,
  type VisitorLanguage,
  visitorLanguages,
} from '../texts/language.ts';
import type { QuestionTexts } from '../texts/questions-en.ts';

/** One script for each language, which the waiting pages load. */
export const textFiles = visitorLanguages.map((language) => `texts-${language}.js`);

export interface VisitorTexts {
  language: VisitorLanguage;
  common: CommonTexts;
  waiting: WaitingTexts;
  tier1: Tier1Texts;
  frame: FrameTexts;
  questions: QuestionTexts;
}

export function languageOf(headers: IncomingHttpHeaders): VisitorLanguage {
  return toVisitorLanguage(readCookie(headers.cookie, LANGUAGE_COOKIE), headers['accept-language']);
}

/** Mails are written in fewer languages than pages. */
export function mailLanguageOf(headers: IncomingHttpHeaders): Language {
  return toLanguage(readCookie(headers.cookie, LANGUAGE_COOKIE), headers['accept-language']);
}

export function textsFor(headers: IncomingHttpHeaders, theme: Theme): VisitorTexts {
  const language = languageOf(headers);
  const { common, waiting, tier1, frame, questions } = visitorCatalogues[language];
  const overrides = theme.texts[language];
  const withOverrides = <T extends Record<string, string>>(part: string, texts: T): T =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, overrides[`${part}.${name}`] ?? text])) as T;
  return {
    language,
    common: withOverrides('common', common),
    waiting: withOverrides('waiting', waiting),
    tier1: withOverrides('tier1', tier1),
    frame: withOverrides('frame', frame),
    questions: withOverrides('questions', questions),
  };
}
