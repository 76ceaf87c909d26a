/** Finds the rule that applies to a request. */
import { foldText } from './fold-text.ts';
import type { Rule, RuleBook } from './rules.ts';

export interface Match {
  outcome: 'rule';
  rule: Rule;
  /** The path segment at `{eventId}`. */
  eventId: string | undefined;
}

export type Matched = Match | { outcome: 'none' } | { outcome: 'method-not-listed' };

/** Rules parsed once for many requests. */
export type Matcher = (method: string, segments: readonly string[]) => Matched;

interface Pattern {
  rule: Rule;
  segments: readonly string[];
  /** The segments as `foldText` returns them. */
  folded: readonly string[];
  isOpenEnded: boolean;
}

/** The segments of a request, as received and folded. */
interface Path {
  segments: readonly string[];
  folded: readonly string[];
}

const GOES_ON = /^[\p{L}\p{N}_-]/u;
export const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * The first rule whose path matches decides. A method that it does not list is refused unless a later rule with the
 * identical path lists it. Otherwise a catch-all rule further down would open what an earlier rule protects.
 */
export function createMatcher({ rules }: RuleBook): Matcher {
  const patterns = rules.map(toPattern);
  return (method, segments) => {
    const path = { segments, folded: segments.map(foldText) };
    let onlyPath: string | undefined;
    for (const pattern of patterns) {
      const { rule } = pattern;
      if (onlyPath !== undefined && rule.path !== onlyPath) continue;
      const found = matchPath(pattern, path);
      if (found === undefined) continue;
      if (listsMethod(rule, method)) return { outcome: 'rule', rule, eventId: found.eventId };
      if (rule.require !== 'none') onlyPath = rule.path;
    }
    return { outcome: onlyPath === undefined ? 'none' : 'method-not-listed' };
  };
}

function toPattern(rule: Rule): Pattern {
  const all = rule.path.split('/').filter((segment) => segment !== '');
  const isOpenEnded = all.at(-1) === '**';
  const segments = isOpenEnded ? all.slice(0, -1) : all;
  return { rule, segments, folded: segments.map(foldText), isOpenEnded };
}

function listsMethod({ methods }: Rule, method: string): boolean {
  if (methods === undefined) return KNOWN_METHODS.includes(method);
  return methods.includes(method) || (method === 'HEAD' && methods.includes('GET'));
}

function matchPath(pattern: Pattern, { segments, folded }: Path): { eventId: string | undefined } | undefined {
  const { segments: wanted, isOpenEnded, rule } = pattern;
  if (isOpenEnded ? segments.length < wanted.length : segments.length !== wanted.length) return undefined;
  let eventId: string | undefined;
  for (const [index, want] of wanted.entries()) {
    const have = segments[index]!;
    if (want === '{eventId}') eventId = have;
    else if (want === '*' || want === have) continue;
    else if (rule.require === 'none' || !isReadAs(pattern.folded[index]!, folded[index]!)) return undefined;
  }
  return { eventId };
}

/**
 * Many sites treat `/API/Seats`, `/api/seats.json` and `/api/seats(7)` as `/api/seats`. A protecting rule therefore also
 * matches another case and a suffix that starts with a punctuation character; an open rule matches exactly.
 */
function isReadAs(want: string, have: string): boolean {
  return have.startsWith(want) && !GOES_ON.test(have.slice(want.length));
}
