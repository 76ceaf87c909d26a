import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUser, type UserRules } from '../../../src/identity/issuer/user-claims.ts';

const rules = (changes: Partial<UserRules> = {}): UserRules => ({
  issuer: undefined,
  audiences: [],
  userClaim: 'sub',
  requiredClaims: [],
  ...changes,
});
const requires = (name: string, value: string) => rules({ requiredClaims: [{ name, value }] });
const idOf = (claims: object, wanted: UserRules) => readUser(claims as Record<string, unknown>, wanted)?.id;

describe('the user of a token', () => {
  it.each([
    ['a text', { user_id: 'mina' }, 'user_id', 'mina'],
    ['a number of a database', { user_id: 42 }, 'user_id', '42'],
    ['a member of a claim', { app: { user: { id: 'mina' } } }, 'app.user.id', 'mina'],
    ['a claim whose name has dots', { 'https://shop.example/id': 'mina' }, 'https://shop.example/id', 'mina'],
    ['a confirmed address', { email: 'm@shop.example', email_verified: true }, 'email', 'm@shop.example'],
    ['an address that is not confirmed', { email: 'm@shop.example' }, 'email', undefined],
    [
      'an address whose confirmation is a text',
      { email: 'm@shop.example', email_verified: 'true' },
      'email',
      undefined,
    ],
    ['a number that JSON rounds', { user_id: 2 ** 53 }, 'user_id', undefined],
    ['a fraction', { user_id: 1.5 }, 'user_id', undefined],
    ['another claim only', { sub: 'mina' }, 'user_id', undefined],
    ['an inherited member', {}, 'constructor.name', undefined],
  ])('%s', (_name, claims, userClaim, id) => {
    expect(idOf(claims, rules({ userClaim }))).toBe(id);
  });

  it('is the same with and without a slash at the end of the issuer', () => {
    const token = (iss: string) => ({ sub: 'mina', iss });
    for (const issuer of ['https://id.example', 'https://id.example/']) {
      expect(idOf(token('https://id.example'), rules({ issuer }))).toBe('mina');
      expect(idOf(token('https://id.example/'), rules({ issuer }))).toBe('mina');
      expect(idOf(token('https://id.example//'), rules({ issuer }))).toBeUndefined();
      expect(idOf(token('https://id.example/other'), rules({ issuer }))).toBeUndefined();
    }
  });
});

describe('a required claim', () => {
  const named = (claims: object) => ({ sub: 'mina', ...claims });
  it.each([
    ['a value', { type: 'access' }, 'type', 'access', true],
    ['another value', { type: 'refresh' }, 'type', 'access', false],
    ['no value', {}, 'type', 'access', false],
    ['one of a list', { roles: ['fan', 'member'] }, 'roles', 'member', true],
    ['a text with the value in it', { roles: 'fan member' }, 'roles', 'member', false],
    ['a word of the scope', { scope: 'openid tickets' }, 'scope', 'tickets', true],
    ['a part of a word of the scope', { scope: 'openid tickets:read' }, 'scope', 'tickets', false],
    ['a boolean', { active: true }, 'active', 'true', true],
    ['a member', { realm_access: { roles: ['fan'] } }, 'realm_access.roles', 'fan', true],
    ['an object', { type: { access: true } }, 'type', 'access', false],
  ])('%s', (_name, claims, name, value, isThere) => {
    expect(idOf(named(claims), requires(name, value))).toBe(isThere ? 'mina' : undefined);
  });
});

it('whatever claims a token has, a user satisfies every rule and is never a guest or an account here', () => {
  const id = fc.oneof(
    fc.string(),
    fc.constantFrom('guest:x', 'u_0123456789abcdef', 'mina'),
    fc.integer(),
    fc.jsonValue(),
  );
  const aud = fc.oneof(fc.constantFrom('a', 'b'), fc.array(fc.constantFrom('a', 'b', 'c')), fc.jsonValue());
  fc.assert(
    fc.property(fc.record({ sub: id, aud, iss: fc.constantFrom('i', 'j') }, { requiredKeys: [] }), (claims) => {
      const user = readUser(claims, rules({ issuer: 'i', audiences: ['a'] }));
      if (user === undefined) return;
      expect(claims.iss).toBe('i');
      expect([claims.aud].flat()).toContain('a');
      expect(user.kind).toBe('user');
      expect(user.id).toBe(String(claims.sub));
      expect(user.id).not.toMatch(/^guest:|^u_[\w-]{16}$/);
    }),
  );
});
