/** The addresses that are the line's own, where a gate stands before it and a site at once. */
import { createMatcher } from './match-rule.ts';
import { readTarget } from './request-target.ts';
import type { Rule } from './rules.ts';

const paths = [
  '/vwr/**',
  '/vwr-api/**',
  '/queue/**',
  '/draw/**',
  '/events/{eventId}/tickets/waiting',
  '/api/queue/**',
  '/api/v1/queue/**',
  '/api/rooms/{eventId}/draw/**',
  '/api/v1/rooms/{eventId}/draw/**',
];

/** Whatever else an operator's rules say, nobody is kept from waiting. */
export const lineRules: readonly Rule[] = paths.map((path) => ({
  path,
  require: 'none',
  event: { from: 'path' },
  answer: 'api',
  strict: false,
}));

const match = createMatcher({ rules: lineRules, otherwise: 'pass' });

/** `target`: one that was decided upon. */
export function isForLine(target: string): boolean {
  const read = readTarget(target);
  return read.outcome === 'clear' && match('GET', read.segments).outcome === 'rule';
}
