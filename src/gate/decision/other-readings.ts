/**
 * The other ways in which a site may read a request that the gate reads as written: by the method that its query names,
 * or without a script or index file in its path (`/index.php/api/seats`).
 */
import { KNOWN_METHODS, type Matched, type Matcher } from './match-rule.ts';
import { readMethodOverrides } from './query-fields.ts';

export interface ReadRequest {
  method: string;
  segments: readonly string[];
  query: string;
}

const SCRIPT = /\.(?:php\d?|phtml|cgi|fcgi|pl|py|rb|asp|aspx|ashx|asmx|jsp|jspx|do|action|cfm|dll|exe)$/i;
const INDEX = /^(?:index|default)\.\w+$/i;

/** Why another reading leads to a rule that protects, other than the matched one; undefined if none does. */
export function findOtherReading({ method, segments, query }: ReadRequest, matched: Matched, match: Matcher) {
  const isOther = (other: Matched) => protects(other) && ruleOf(other) !== ruleOf(matched);
  const named = readMethodOverrides(query).filter((name) => KNOWN_METHODS.includes(name));
  if (named.some((name) => isOther(match(name, segments)))) return 'the query names another method';
  const plain = segments.filter((segment, index) => !isScript(segment, index === segments.length - 1));
  return plain.length < segments.length && isOther(match(method, plain))
    ? 'the path names a script or an index file in a protected path'
    : undefined;
}

function isScript(segment: string, isLast: boolean): boolean {
  return SCRIPT.test(segment) || (isLast && INDEX.test(segment));
}

function protects(matched: Matched): boolean {
  return matched.outcome === 'method-not-listed' || (matched.outcome === 'rule' && matched.rule.require !== 'none');
}

function ruleOf(matched: Matched): unknown {
  return matched.outcome === 'rule' ? matched.rule : matched.outcome;
}
