/** Says a problem of a form field in the reader's language. Text of the validator is never shown. */
import type { FieldProblem } from '../../http/field-problem.ts';
import { formatCount } from './format.ts';
import { fill, type Language } from './language.ts';
import * as en from './problems-en.ts';
import * as ko from './problems-ko.ts';

export type Problem = Omit<FieldProblem, 'rule'> & { rule?: string };

const catalogues = { en, ko };
/** How each pattern of our schemas is explained. */
const patterns: Readonly<Record<string, string>> = {
  '^[A-Z]{3}$': 'currency',
  '^[A-Za-z0-9_]{1,16}$': 'id',
  '^[A-Za-z0-9_-]{1,64}$': 'eventId',
  '^(https://|/(?!/))[^\\s]{0,500}$': 'image',
  '^/(?![/\\\\])[\\x21-\\x5b\\x5d-\\x7e]*$': 'target',
  '^[1-9][0-9]{0,3}-[1-9][0-9]{0,3}(\\.\\.[1-9][0-9]{0,3})?$': 'seats',
};
/** Their limit is the name of another field. */
const ABOUT_FIELDS = ['needs', 'after', 'notAfter', 'notAbove', 'notBelow'];

export function problemText(problem: Problem, language: Language): string {
  const { problems, problemFields } = catalogues[language];
  const { rule, limit } = problem;
  const texts: Readonly<Record<string, string>> = problems;
  // Without a rule the message is a sentence of ours, in English; that about an address says how to write it.
  if (rule === 'address' && language === 'en') return problem.message;
  if (rule === undefined) return language === 'en' ? problem.message : problems.other;
  if (ABOUT_FIELDS.includes(rule)) {
    const name = problemFields[String(limit)];
    return name === undefined ? problems.other : fill(texts[rule]!, { limit: name });
  }
  if (rule === 'minLength' && limit === 1) return problems.required;
  const text = texts[keyOf(rule, limit)] ?? texts[rule] ?? problems.other;
  return fill(text, { limit: showLimit(limit, language) });
}

function keyOf(rule: string, limit: Problem['limit']): string {
  return `${rule}_${rule === 'pattern' ? patterns[String(limit)] : String(limit)}`;
}

function showLimit(limit: Problem['limit'], language: Language): string {
  if (typeof limit === 'number') return formatCount(limit, language);
  return Array.isArray(limit) ? limit.join(', ') : (limit ?? '');
}
