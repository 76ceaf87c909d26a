/** Which rule a request falls under. */
import type { Rule, RuleBook } from './rules.ts';

export interface Match {
  outcome: 'rule';
  rule: Rule;
  /** What stands in the path where the rule has `{eventId}`. */
  eventId: string | undefined;
}

export type Matched = Match | { outcome: 'none' } | { outcome: 'method-not-listed' };

/** Rules made ready to be asked many times. */
export type Matcher = (method: string, segments: readonly string[]) => Matched;

interface Pattern {
  rule: Rule;
  segments: readonly string[];
  isOpenEnded: boolean;
}

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * The first rule whose path matches decides. A method that it does not list is refused, unless a later rule with the
 * very same path lists it: a rule for everything further down must not open what one further up protects.
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
 * Many sites take `/API/Seats` for `/api/seats`. A rule that protects therefore matches in any case; one that lets pass
 * only matches what it says.
 */
function isSameLiteral(want: string, have: string, { require }: Rule): boolean {
  if (want === have) return true;
  return require !== 'none' && want.length === have.length && want.toLowerCase() === have.toLowerCase();
}
