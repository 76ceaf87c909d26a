/**
 * What is wrong with a field of a request, for programs: the rule and what it compares with. Pages say it in the reader's
 * language (src/pages/texts/problem-text.ts); the message is for developers.
 */
export const problemRules = [
  // Of the schema, named as in JSON Schema. The limit is the value of the keyword.
  'required',
  'unknown',
  'type',
  'format',
  'pattern',
  'enum',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  // Across fields. The limit is the name of the other field.
  'needs',
  'after',
  'notAfter',
  'notAbove',
  'notBelow',
  // Of one kind of value.
  'timeZone',
  'address',
  'notWaitingPage',
  'needsShop',
  'fixed',
  'fixedWhileWaiting',
  'maxSeats',
  'empty',
  'twice',
] as const;
export type ProblemRule = (typeof problemRules)[number];

export interface FieldProblem {
  /** Path in the body: `sections.0.rows`. */
  field: string;
  message: string;
  /** Absent if only the message says it. Later versions may add rules. */
  rule?: ProblemRule;
  /** What the rule compares with: a number, a name, a pattern, or the allowed values. */
  limit?: number | string | string[];
}
