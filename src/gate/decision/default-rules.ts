/** The default rules: which path requires which token. Replaced by GATE_RULES_FILE. */
import type { EventSource, Rule, RuleBook } from './rules.ts';

const IN_PATH: EventSource = { from: 'path' };
const IN_TOKEN: EventSource = { from: 'token' };
/** Both prefixes serve the same API. */
const PREFIXES = ['/api', '/api/v1'];

/** The line itself, signing in, and public data. */
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
