/** The rules that hold where nobody wrote others: which paths need which token. */
import type { EventSource, Rule, RuleBook } from './rules.ts';

const IN_PATH: EventSource = { from: 'path' };
const IN_TOKEN: EventSource = { from: 'token' };
/** Everything under the one is also under the other. */
const PREFIXES = ['/api', '/api/v1'];

/** Waiting itself, signing in, and what everybody may look at. */
const open = [
  '/vwr/**',
  '/vwr-api/**',
  '/queue/**',
  '/events/{eventId}/tickets/waiting',
  ...PREFIXES.flatMap((prefix) => ['queue', 'auth', 'events', 'stats'].map((name) => `${prefix}/${name}/**`)),
  '/health',
  '/actuator/**',
];

const guarded = PREFIXES.flatMap((prefix) => [
  needsBoth(`${prefix}/seats/events/{eventId}/**`, IN_PATH),
  ...['reservations', 'tickets', 'seats', 'admin'].map((name) => needsBoth(`${prefix}/${name}/**`, IN_TOKEN)),
]);

export const defaultRules: RuleBook = {
  rules: [...open.map(needsNothing), needsVwr('/events/{eventId}/**'), ...guarded],
  otherwise: 'pass',
};

function needsNothing(path: string): Rule {
  return { path, require: 'none', event: IN_PATH, answer: 'api', strict: false };
}

function needsVwr(path: string): Rule {
  return { path, require: 'vwr', event: IN_PATH, answer: 'page', strict: false };
}

function needsBoth(path: string, event: EventSource): Rule {
  return { path, require: 'both', event, answer: 'api', strict: false };
}
