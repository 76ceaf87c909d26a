/** What waiting visitors ask, and the answers. The same on all waiting pages, with and without JavaScript. */
import { inLanguage, type Organiser } from '../design/organiser.ts';
import { fill, type VisitorLanguage } from '../texts/language.ts';
import type { QuestionTexts } from '../texts/questions-en.ts';

export interface Answered {
  question: string;
  answer: string;
}

export interface AnswerFacts {
  /** How long the place is kept while the page is closed. */
  keeps: string | undefined;
  /** How to reach the organiser; undefined if they published nothing. */
  contact: string | undefined;
  /** Until when the shop refunds; undefined where it does not sell the tickets. */
  refund: { until: string; isOver: boolean } | undefined;
}

export function toAnswers(texts: QuestionTexts, { keeps, contact, refund }: AnswerFacts): Answered[] {
  const pairs: (readonly [question: string, answer: string])[] = [
    [texts.q1, texts.a1],
    [texts.q2, texts.a2],
    [texts.q3, keeps ?? texts.a4],
    [texts.q4, texts.a4],
    [texts.q5, texts.a5],
    [texts.q6, texts.a6],
    [texts.q7, texts.a7],
    [texts.q8, contact === undefined ? texts.a8None : fill(texts.a8, { contact })],
  ];
  if (refund !== undefined) {
    pairs.push([texts.q9, texts.a9]);
    pairs.push([texts.q10, refund.isOver ? texts.a10Over : fill(texts.a10, { time: refund.until })]);
  }
  return pairs.map(([question, answer]) => ({ question, answer }));
}

/** In one line: phone, email or the page. */
export function toContact({ phone, email, contact }: Organiser, language: VisitorLanguage): string | undefined {
  const ways = [phone, email].filter((way) => way !== undefined);
  if (ways.length > 0) return ways.join(' · ');
  return contact && inLanguage(contact, language);
}
