/** The paths that belong to the line, for a gate that forwards to both the line and the site. */
import { createMatcher } from './match-rule.ts';
import { readTarget } from './request-target.ts';
import type { Rule } from './rules.ts';

const paths = [
  '/vwr/**',
  '/vwr-api/**',
  '/queue/**',
  '/draw/**',
  '/fairline.js',
  '/events/{eventId}/tickets/waiting',
  '/api/v1/events/{eventId}/tickets/waiting',
  '/api/queue/**',
  '/api/v1/queue/**',
  '/api/rooms/{eventId}/draw/**',
  '/api/v1/rooms/{eventId}/draw/**',
];

/** These come before the operator's rules, so no rule can block the waiting pages. */
export const lineRules: readonly Rule[] = paths.map((path) => ({
  path,
  require: 'none',
  event: { from: 'path' },
  answer: 'api',
  strict: false,
}));

const match = createMatcher({ rules: lineRules, otherwise: 'pass' });

/** `target`: the normalized target of a decision. */
export function isForLine(target: string): boolean {
  const read = readTarget(target);
  return read.outcome === 'clear' && match('GET', read.segments).outcome === 'rule';
}
