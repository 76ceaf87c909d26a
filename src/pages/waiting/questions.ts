/** What waiting visitors ask, and the answers. The same on all waiting pages, with and without JavaScript. */
import type { QuestionTexts } from '../texts/questions-en.ts';

export interface Answered {
  question: string;
  answer: string;
}

/** `keeps`: how long the place is kept while the page is closed. */
export function toAnswers(texts: QuestionTexts, keeps: string | undefined): Answered[] {
  const pairs = [
    [texts.q1, texts.a1],
    [texts.q2, texts.a2],
    [texts.q3, keeps ?? texts.a4],
    [texts.q4, texts.a4],
    [texts.q5, texts.a5],
    [texts.q6, texts.a6],
    [texts.q7, texts.a7],
    [texts.q8, texts.a8],
  ] as const;
  return pairs.map(([question, answer]) => ({ question, answer }));
}
