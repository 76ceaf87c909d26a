/**
 * What a request asks for: its target, the rule that applies and the event that it names. This depends on the method, the
 * target and the rules alone, and visitors ask for the same few pages, so the latest readings are remembered.
 */
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { KNOWN_METHODS, type Matched, type Matcher } from './match-rule.ts';
import { findOtherReading } from './other-readings.ts';
import { type NamedEvent, readEventId } from './read-event-id.ts';
import { type RequestTarget, readTarget } from './request-target.ts';

export type Reading =
  | {
      outcome: 'clear';
      target: Extract<RequestTarget, { outcome: 'clear' }>;
      matched: Matched;
      /** undefined if no rule applies. */
      named: NamedEvent | undefined;
    }
  | { outcome: 'ambiguous'; why: string };

export type ReadRequest = (method: string, target: string) => Reading;

/** Of each method. */
const REMEMBERED = 1_000;
/** Longer ones have a query of a single visitor. */
const LONGEST_REMEMBERED = 256;

export function createReader(match: Matcher): ReadRequest {
  const remembered = new Map(KNOWN_METHODS.map((method) => [method, new RecentMap<Reading>(REMEMBERED)]));
  return (method, target) => {
    const sameMethod = remembered.get(method);
    const known = sameMethod?.get(target);
    if (known !== undefined) return known;
    const reading = readRequest(method, target, match);
    if (target.length <= LONGEST_REMEMBERED) sameMethod?.set(target, reading);
    return reading;
  };
}

function readRequest(method: string, asReceived: string, match: Matcher): Reading {
  const target = readTarget(asReceived);
  if (target.outcome === 'ambiguous') return target;
  const matched = match(method, target.segments);
  const other = findOtherReading({ ...target, method }, matched, match);
  if (other !== undefined) return { outcome: 'ambiguous', why: other };
  const named = matched.outcome === 'rule' ? readEventId(matched, target.query) : undefined;
  return { outcome: 'clear', target, matched, named };
}
