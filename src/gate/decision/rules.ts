/**
 * The rules of a gate: an ordered list that an operator writes as JSON, and its validation. The first rule that matches
 * path and method decides.
 */
import { type AccessEntry, readAccess } from './access-entries.ts';
import { areMethods, type Check, EVENT_ID, EVENT_ID_WORDS, EVENT_SEGMENT, isObject, isPattern } from './rule-syntax.ts';

export const requirements = ['none', 'vwr', 'entry', 'both'] as const;
export type Requirement = (typeof requirements)[number];

/** Where a request names its event. `token`: nowhere; an entry token of any event is accepted. */
export type EventSource =
  | { from: 'path' }
  | { from: 'query'; field: string }
  | { from: 'fixed'; eventId: string }
  | { from: 'token' };

export interface Rule {
  /** `/api/seats/**`: literals, `*` for one segment, `{eventId}`, and a final `**` for zero or more segments. */
  path: string;
  /** undefined: all methods. GET includes HEAD. */
  methods?: readonly string[];
  require: Requirement;
  event: EventSource;
  /** The form of a refusal. `api`: 403 in JSON with `redirectTo`; `page`: a redirect. */
  answer: 'api' | 'page';
  /** Also check with the line that the admission has not ended. */
  strict: boolean;
  /** Passing with an entry token counts as a sign of life. Absent: it does not. */
  renews?: true;
}

export interface RuleBook {
  rules: readonly Rule[];
  /** For a path that no rule matches. */
  otherwise: 'pass' | 'deny';
  /** Who passes without tokens, who never passes, and who alone may pass. */
  access?: readonly AccessEntry[];
}

export interface RuleProblem {
  field: string;
  message: string;
}

export type ReadRules = { outcome: 'read'; book: RuleBook } | { outcome: 'invalid'; problems: RuleProblem[] };

const MOST_RULES = 1000;
const QUERY_FIELD = /^[A-Za-z0-9_.-]{1,64}$/;
const answers = ['api', 'page'] as const;
const ruleFields = ['path', 'methods', 'require', 'event', 'answer', 'strict', 'renews', 'about'];

/** Validates parsed JSON. Every problem names its field, such as `rules[3].path`. */
export function readRules(json: unknown): ReadRules {
  const problems: RuleProblem[] = [];
  const check = (isRight: boolean, field: string, message: string): boolean => {
    if (!isRight) problems.push({ field, message: `${field} ${message}` });
    return isRight;
  };
  if (!isObject(json)) {
    check(false, 'the file', 'must be an object with rules and otherwise');
    return { outcome: 'invalid', problems };
  }
  const { rules, otherwise, access, ...others } = json;
  for (const name of Object.keys(others)) check(false, name, 'is not a known field');
  check(otherwise === 'pass' || otherwise === 'deny', 'otherwise', 'must be "pass" or "deny"');
  const isList = Array.isArray(rules) && rules.length > 0 && rules.length <= MOST_RULES;
  check(isList, 'rules', `must be a list of 1 to ${MOST_RULES} rules`);
  const read = isList ? rules.map((rule, index) => readRule(rule, `rules[${index}]`, check)) : [];
  const entries = readAccess(access, check);
  if (problems.length > 0) return { outcome: 'invalid', problems };
  const book = { rules: read as Rule[], otherwise: otherwise as 'pass' | 'deny' };
  return { outcome: 'read', book: entries.length === 0 ? book : { ...book, access: entries } };
}

function readRule(json: unknown, at: string, check: Check): Rule | undefined {
  if (!isObject(json)) {
    check(false, at, 'must be an object');
    return undefined;
  }
  for (const name of Object.keys(json)) check(ruleFields.includes(name), `${at}.${name}`, 'is not a known field');
  const { path, methods, require, event, answer = 'api', strict = false, renews, about } = json;
  const isPath = check(isPattern(path), `${at}.path`, 'must be a path such as /api/seats/** or /events/{eventId}');
  check(isOneOf(requirements, require), `${at}.require`, `must be one of ${requirements.join(', ')}`);
  check(isOneOf(answers, answer), `${at}.answer`, `must be one of ${answers.join(', ')}`);
  check(typeof strict === 'boolean', `${at}.strict`, 'must be true or false');
  check(about === undefined || typeof about === 'string', `${at}.about`, 'must be text');
  checkMethods(methods, at, check);
  check(strict !== true || needsEntry(require), `${at}.strict`, 'needs require to be entry or both');
  checkRenews(renews, require, at, check);
  return {
    path: path as string,
    ...(methods === undefined ? {} : { methods: methods as string[] }),
    require: require as Requirement,
    event: readEvent({ event, require, path: isPath ? (path as string) : undefined, at, check }),
    answer: answer as Rule['answer'],
    strict: strict as boolean,
    // A page view is a person; an API may be called by a timer of the page that nobody looks at.
    ...(needsEntry(require) && (renews ?? answer === 'page') ? { renews: true } : {}),
  };
}

function checkRenews(renews: unknown, require: unknown, at: string, check: Check): void {
  check(renews === undefined || typeof renews === 'boolean', `${at}.renews`, 'must be true or false');
  check(renews !== true || needsEntry(require), `${at}.renews`, 'needs require to be entry or both');
}

function needsEntry(require: unknown): boolean {
  return require === 'entry' || require === 'both';
}

function checkMethods(methods: unknown, at: string, check: Check): void {
  check(
    methods === undefined || areMethods(methods),
    `${at}.methods`,
    'must be a list of upper-case methods, such as ["GET", "POST"]',
  );
}

interface EventField {
  event: unknown;
  require: unknown;
  path: string | undefined;
  at: string;
  check: Check;
}

/** Defaults to the event named in the path. */
function readEvent({ event, require, path, at, check }: EventField): EventSource {
  const field = `${at}.event`;
  const isNamed = path?.split('/').includes(EVENT_SEGMENT) ?? true;
  const NOWHERE = { from: 'token' } as const;
  if (event === undefined) {
    check(require === 'none' || isNamed, field, `is required because path has no ${EVENT_SEGMENT}`);
    return isNamed ? { from: 'path' } : NOWHERE;
  }
  if (event === 'token') {
    check(require === 'entry' || require === 'both', field, '"token" needs require to be entry or both');
    check(!isNamed, field, `must be omitted because path has ${EVENT_SEGMENT}`);
    return NOWHERE;
  }
  const { query, fixed } = isObject(event) ? event : {};
  const isOneField = isObject(event) && Object.keys(event).length === 1;
  if (isOneField && typeof query === 'string') {
    check(QUERY_FIELD.test(query), `${field}.query`, 'must be the name of a query parameter');
    return { from: 'query', field: query };
  }
  if (isOneField && typeof fixed === 'string') {
    check(EVENT_ID.test(fixed), `${field}.fixed`, `must be ${EVENT_ID_WORDS}`);
    return { from: 'fixed', eventId: fixed };
  }
  check(false, field, 'must be {"query": name}, {"fixed": eventId} or "token"');
  return NOWHERE;
}

function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return values.includes(value as T);
}
