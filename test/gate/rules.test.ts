import { describe, expect, it } from 'vitest';
import { createMatcher } from '../../src/gate/decision/match-rule.ts';
import { readRules } from '../../src/gate/decision/rules.ts';
import { bookOf, createGateWorld, summarize } from './gate-world.ts';

const problemsOf = (json: unknown) => {
  const read = readRules(json);
  return read.outcome === 'invalid' ? read.problems.map(({ message }) => message) : [];
};
const problemsOfRule = (rule: object) => problemsOf({ rules: [rule], otherwise: 'pass' });

describe('rules from a file', () => {
  it('get defaults for omitted fields', () => {
    expect(bookOf({ rules: [{ path: '/e/{eventId}', require: 'entry' }], otherwise: 'deny' })).toEqual({
      otherwise: 'deny',
      rules: [{ path: '/e/{eventId}', require: 'entry', event: { from: 'path' }, answer: 'api', strict: false }],
    });
  });

  it('renew sessions on pages that need an entry token, unless they say otherwise', () => {
    const renews = (rule: object) =>
      bookOf({ rules: [{ path: '/e/{eventId}', ...rule }], otherwise: 'deny' }).rules[0]!.renews === true;
    expect(renews({ require: 'entry', answer: 'page' })).toBe(true);
    expect(renews({ require: 'both', answer: 'page' })).toBe(true);
    expect(renews({ require: 'both', answer: 'page', renews: false })).toBe(false);
    expect(renews({ require: 'entry' })).toBe(false);
    expect(renews({ require: 'entry', renews: true })).toBe(true);
    expect(renews({ require: 'vwr', answer: 'page' })).toBe(false);
    expect(renews({ require: 'none', answer: 'page', renews: false })).toBe(false);
  });

  it.each([
    [undefined, 'the file must be an object with rules and otherwise'],
    [{ rules: [], otherwise: 'pass' }, 'rules must be a list of 1 to 1000 rules'],
    [{ rules: [{ path: '/', require: 'none' }] }, 'otherwise must be "pass" or "deny"'],
    [{ rules: [7], otherwise: 'pass' }, 'rules[0] must be an object'],
    [{ rules: [{ path: '/', require: 'none' }], otherwise: 'pass', extra: 1 }, 'extra is not a known field'],
  ])('reject %j: %s', (json, message) => {
    expect(problemsOf(json)).toEqual([message]);
  });

  it.each([
    [{ require: 'none' }, 'rules[0].path must be a path such as'],
    [{ path: 'api', require: 'none' }, 'rules[0].path must be a path such as'],
    [{ path: '/a//b', require: 'none' }, 'rules[0].path must be a path such as'],
    [{ path: '/**/b', require: 'none' }, 'rules[0].path must be a path such as'],
    [{ path: '/a%2fb', require: 'none' }, 'rules[0].path must be a path such as'],
    [{ path: '/{eventId}/{eventId}', require: 'none' }, 'rules[0].path must be a path such as'],
    [{ path: '/seats/{id}', require: 'none' }, 'rules[0].path must be a path such as'],
    [{ path: '/{eventId}', require: 'token' }, 'rules[0].require must be one of none, vwr, entry, both'],
    [{ path: '/a', require: 'entry' }, 'rules[0].event is required because path has no {eventId}'],
    [{ path: '/a', require: 'vwr', event: 'token' }, 'rules[0].event "token" needs require to be entry or both'],
    [{ path: '/a', require: 'entry', event: { header: 'x' } }, 'rules[0].event must be {"query": name}, {"fixed"'],
    [{ path: '/a', require: 'entry', event: { fixed: 'a b' } }, 'rules[0].event.fixed must be 1 to 64 letters, digits'],
    [
      { path: '/a', require: 'entry', event: { query: '' } },
      'rules[0].event.query must be the name of a query parameter',
    ],
    [{ path: '/{eventId}', require: 'entry', event: 'token' }, 'rules[0].event must be omitted because path has'],
    [{ path: '/a', require: 'none', methods: [] }, 'rules[0].methods must be a list of upper-case methods'],
    [{ path: '/a', require: 'none', methods: ['get'] }, 'rules[0].methods must be a list of upper-case methods'],
    [{ path: '/a', require: 'none', answer: 'html' }, 'rules[0].answer must be one of api, page'],
    [{ path: '/a', require: 'none', strict: 'yes' }, 'rules[0].strict must be true or false'],
    [{ path: '/a', require: 'none', strict: true }, 'rules[0].strict needs require to be entry or both'],
    [{ path: '/a', require: 'none', renews: 'yes' }, 'rules[0].renews must be true or false'],
    [{ path: '/{eventId}', require: 'vwr', renews: true }, 'rules[0].renews needs require to be entry or both'],
    [{ path: '/a', require: 'none', method: ['GET'] }, 'rules[0].method is not a known field'],
  ])('reject the rule %j: %s', (rule, message) => {
    expect(problemsOfRule(rule)).toEqual([expect.stringContaining(message)]);
  });
});

describe('the matcher', () => {
  const outcome = (rules: object[], method: string, ...segments: string[]) => {
    const matched = createMatcher(bookOf({ rules, otherwise: 'pass' }))(method, segments);
    return matched.outcome === 'rule' ? matched.rule.require : matched.outcome;
  };
  const fixed = { fixed: 'concert' };
  const posts = { path: '/shop/**', methods: ['POST'], require: 'entry', event: fixed };

  it('picks the first rule that matches', () => {
    const rules = [{ path: '/shop/help', require: 'none' }, posts];
    expect(outcome(rules, 'POST', 'shop', 'help')).toBe('none');
    expect(outcome(rules, 'POST', 'shop')).toBe('entry');
    expect(outcome(rules, 'POST', 'shopping')).toBe('none');
  });

  it('refuses a method that the rule does not list, even if a later catch-all rule allows it', () => {
    const everything = { path: '/**', require: 'none' };
    expect(outcome([posts, everything], 'DELETE', 'shop', '1')).toBe('method-not-listed');
    expect(outcome([posts, everything], 'DELETE', 'help')).toBe('none');
    expect(outcome([posts, { path: '/shop/**', methods: ['GET'], require: 'none' }], 'HEAD', 'shop')).toBe('none');
    expect(outcome([{ ...posts, methods: ['GET'] }], 'HEAD', 'shop')).toBe('entry');
  });

  it('refuses unknown methods on a protected path', () => {
    const all = { path: '/shop/**', require: 'entry', event: fixed };
    expect(outcome([all], 'PROPFIND', 'shop')).toBe('method-not-listed');
    expect(outcome([{ ...all, methods: ['PROPFIND'] }], 'PROPFIND', 'shop')).toBe('entry');
  });

  it('passes CORS preflights only if a rule allows OPTIONS', () => {
    const rule = { path: '/api/seats/**', require: 'entry', event: fixed };
    expect(outcome([rule], 'OPTIONS', 'api', 'seats')).toBe('entry');
    const preflight = { path: '/api/seats/**', methods: ['OPTIONS'], require: 'none' };
    expect(outcome([preflight, rule], 'OPTIONS', 'api', 'seats')).toBe('none');
    expect(outcome([preflight, rule], 'GET', 'api', 'seats')).toBe('entry');
  });
});

describe('a rule', () => {
  const world = (rule: object) =>
    createGateWorld({ book: bookOf({ rules: [rule], otherwise: 'deny' }), activeEvents: [] });

  it('reads the event from the query, and refuses a query that names none or several', () => {
    const { askWithBoth } = world({ path: '/buy', require: 'entry', event: { query: 'eventId' } });
    expect(summarize(askWithBoth('GET', '/buy?eventId=concert'))).toBe('pass');
    expect(summarize(askWithBoth('GET', '/buy?eventId=other'))).toBe('403 ENTRY_TOKEN_INVALID /queue/other');
    for (const query of ['', '?eventId=a&eventId=concert', '?eventId=concert&EventId=b', '?eventId=../x']) {
      expect(summarize(askWithBoth('GET', `/buy${query}`))).toBe('400 INVALID_INPUT');
    }
  });

  it('can name a fixed event, or accept the event of the token', () => {
    const fixed = world({ path: '/buy', require: 'entry', event: { fixed: 'other' }, answer: 'page' });
    expect(summarize(fixed.askWithBoth('GET', '/buy'))).toBe('302 /queue/other');
    const { ask, entry } = world({ path: '/buy', require: 'entry', event: 'token' });
    expect(ask('GET', '/buy', { entryToken: entry('any') })).toMatchObject({ eventId: 'any', visitor: 'mina' });
  });

  it('refuses an invalid event id in the path', () => {
    const { askWithBoth } = world({ path: '/e/{eventId}', require: 'entry' });
    expect(summarize(askWithBoth('GET', '/e/a%20b'))).toBe('400 INVALID_INPUT');
  });

  it('marks a decision for a check with the line only if it is strict', () => {
    const strict = world({ path: '/e/{eventId}', require: 'entry', strict: true });
    expect(strict.askWithBoth('GET', '/e/concert')).toMatchObject({ strict: { entry: { tokenId: 'epoch.7' } } });
    const plain = world({ path: '/e/{eventId}', require: 'entry' });
    expect(plain.askWithBoth('GET', '/e/concert')).toMatchObject({ outcome: 'pass', strict: undefined });
  });

  it('does not open other paths if `otherwise` is deny', () => {
    expect(summarize(world({ path: '/a', require: 'none' }).ask('GET', '/b'))).toBe('403 NOT_OPEN');
  });
});
