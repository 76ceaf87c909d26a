/**
 * The other ways in which a site may read a request that the gate reads as written: by the method that its query names,
 * or without a script or index file in its path (`/index.php/api/seats`).
 */
import { foldText } from './fold-text.ts';
import { KNOWN_METHODS, type Matched, type Matcher } from './match-rule.ts';
import { readMethodOverrides } from './query-fields.ts';

export interface ReadRequest {
  method: string;
  segments: readonly string[];
  query: string;
}

const SCRIPT =
  /\.(?:php\d?|phtml|cgi|fcgi|pl|py|rb|asp|aspx|ashx|asmx|jsp|jspx|do|action|cfm|dll|exe)(?![\p{L}\p{N}_-])/u;
/** Bounds the work. */
const MOST_SCRIPTS = 4;
const INDEX = /^(?:index|default)\./;

/** Why another reading leads to a rule that protects, other than the matched one; undefined if none does. */
export function findOtherReading({ method, segments, query }: ReadRequest, matched: Matched, match: Matcher) {
  const isOther = (other: Matched) => protects(other) && ruleOf(other) !== ruleOf(matched);
  const named = readMethodOverrides(query).filter((name) => KNOWN_METHODS.includes(name));
  if (named.some((name) => isOther(match(name, segments)))) return 'the query names another method';
  const scripts = segments.flatMap((segment, index) =>
    isScript(segment, index === segments.length - 1) ? [index] : [],
  );
  if (scripts.length > MOST_SCRIPTS) return `the path names more than ${MOST_SCRIPTS} scripts`;
  return withoutScripts(segments, scripts).some((plain) => isOther(match(method, plain)))
    ? 'the path names a script or an index file in a protected path'
    : undefined;
}

/** The path without any one, any two, … of its scripts, given by their indexes. */
function withoutScripts(segments: readonly string[], scripts: readonly number[]): string[][] {
  let dropped: number[][] = [[]];
  for (const script of scripts) dropped = dropped.flatMap((some) => [some, [...some, script]]);
  return dropped.slice(1).map((some) => segments.filter((_, index) => !some.includes(index)));
}

function isScript(segment: string, isLast: boolean): boolean {
  const folded = foldText(segment);
  return SCRIPT.test(folded) || (isLast && INDEX.test(folded));
}

function protects(matched: Matched): boolean {
  return matched.outcome === 'method-not-listed' || (matched.outcome === 'rule' && matched.rule.require !== 'none');
}

function ruleOf(matched: Matched): unknown {
  return matched.outcome === 'rule' ? matched.rule : matched.outcome;
}
