/** Finds the rule that applies to a request. */
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
  isOpenEnded: boolean;
}

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * The first rule whose path matches decides. A method that it does not list is refused unless a later rule with the
 * identical path lists it. Otherwise a catch-all rule further down would open what an earlier rule protects.
 */
export function createMatcher({ rules }: RuleBook): Matcher {
  const patterns = rules.map(toPattern);
  return (method, segments) => {
    let onlyPath: string | undefined;
    for (const pattern of patterns) {
      const { rule } = pattern;
      if (onlyPath !== undefined && rule.path !== onlyPath) continue;
      const found = matchPath(pattern, segments);
      if (found === undefined) continue;
      if (listsMethod(rule, method)) return { outcome: 'rule', rule, eventId: found.eventId };
      if (rule.require !== 'none') onlyPath = rule.path;
    }
    return { outcome: onlyPath === undefined ? 'none' : 'method-not-listed' };
  };
}

function toPattern(rule: Rule): Pattern {
  const segments = rule.path.split('/').filter((segment) => segment !== '');
  const isOpenEnded = segments.at(-1) === '**';
  return { rule, segments: isOpenEnded ? segments.slice(0, -1) : segments, isOpenEnded };
}

function listsMethod({ methods }: Rule, method: string): boolean {
  if (methods === undefined) return KNOWN_METHODS.includes(method);
  return methods.includes(method) || (method === 'HEAD' && methods.includes('GET'));
}

function matchPath(pattern: Pattern, segments: readonly string[]): { eventId: string | undefined } | undefined {
  const { segments: wanted, isOpenEnded, rule } = pattern;
  if (isOpenEnded ? segments.length < wanted.length : segments.length !== wanted.length) return undefined;
  let eventId: string | undefined;
  for (const [index, want] of wanted.entries()) {
    const have = segments[index]!;
    if (want === '{eventId}') eventId = have;
    else if (want !== '*' && !isSameLiteral(want, have, rule)) return undefined;
  }
  return { eventId };
}

/**
 * Many sites treat `/API/Seats` as `/api/seats`. A protecting rule therefore ignores case; an open rule matches exactly.
 */
function isSameLiteral(want: string, have: string, { require }: Rule): boolean {
  if (want === have) return true;
  return require !== 'none' && want.length === have.length && want.toLowerCase() === have.toLowerCase();
}
