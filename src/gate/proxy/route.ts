/** Which of the two servers behind the gate a request is for: the line's own addresses are the line's. */
import type { Pass } from '../decide.ts';
import { createMatcher } from '../match-rule.ts';
import { readTarget } from '../request-target.ts';
import type { Rule } from '../rules.ts';
import type { Destination } from './destination.ts';

const paths = [
  '/vwr/**',
  '/vwr-api/**',
  '/queue/**',
  '/events/{eventId}/tickets/waiting',
  '/api/queue/**',
  '/api/v1/queue/**',
];

/** Whatever else an operator's rules say, nobody is kept from waiting. */
export const lineRules: Rule[] = paths.map((path) => ({
  path,
  require: 'none',
  event: { from: 'path' },
  answer: 'api',
  strict: false,
}));

export function createRouter(site: Destination, line: Destination | undefined): (pass: Pass) => Destination {
  if (line === undefined) return () => site;
  const match = createMatcher({ rules: lineRules, otherwise: 'pass' });
  return ({ target }) => {
    const read = readTarget(target);
    return read.outcome === 'clear' && match('GET', read.segments).outcome === 'rule' ? line : site;
  };
}
