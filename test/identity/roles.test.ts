/** Roles: their order, how claims and account columns give them, and that every operator endpoint has one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findClaim, findClaimedRole, readRoleMap } from '../../src/identity/roles/claimed-role.ts';
import { endpointRoles, findRoleOf, toEndpoint } from '../../src/identity/roles/endpoint-roles.ts';
import {
  highestRole,
  isOperatorRole,
  mayActAs,
  type OperatorRole,
  operatorRoles,
  toAccountRole,
  toRoleColumns,
} from '../../src/identity/roles/operator-roles.ts';

const anyRole = fc.constantFrom(...operatorRoles);

describe('roles', () => {
  it('form an order: a role may do what every lower one may', () => {
    fc.assert(
      fc.property(anyRole, anyRole, anyRole, (a, b, c) => {
        expect(mayActAs(a, a)).toBe(true);
        expect(mayActAs(a, b) || mayActAs(b, a)).toBe(true);
        if (mayActAs(a, b) && mayActAs(b, c)) expect(mayActAs(a, c)).toBe(true);
      }),
    );
    expect(mayActAs('viewer', 'operator')).toBe(false);
    expect(mayActAs('operator', 'admin')).toBe(false);
  });

  it('have a highest one among several', () => {
    fc.assert(
      fc.property(fc.array(anyRole), (roles) => {
        const highest = highestRole(roles);
        expect(highest === undefined).toBe(roles.length === 0);
        for (const role of roles) expect(mayActAs(highest!, role)).toBe(true);
      }),
    );
  });
});

describe('the role of an account', () => {
  it('is read as it was written', () => {
    for (const role of [...operatorRoles, undefined]) expect(toAccountRole(toRoleColumns(role))).toBe(role);
  });

  it('is admin for an operator of before there were roles', () => {
    expect(toAccountRole({ role: 'operator', operator_role: null })).toBe('admin');
  });

  it('ends when a process of the previous release revokes it, and a viewer may do nothing there', () => {
    for (const operator_role of ['operator', 'admin'] as const) {
      expect(toAccountRole({ role: 'user', operator_role })).toBeUndefined();
    }
    expect(toRoleColumns('viewer').role).toBe('user');
  });
});

describe('a claim', () => {
  const map = new Map<string, OperatorRole>([
    ['sales', 'operator'],
    ['it', 'admin'],
    ['all staff', 'viewer'],
  ]);
  const roleOf = (claims: Record<string, unknown>, claim = 'roles') => findClaimedRole(claims, claim, map);

  it.each([
    ['a list', { roles: ['other', 'sales'] }, 'operator'],
    ['the highest of several', { roles: ['all staff', 'it', 'sales'] }, 'admin'],
    ['one text', { roles: 'sales' }, 'operator'],
    ['one text with a space', { roles: 'all staff' }, 'viewer'],
    ['words of a text', { roles: 'x sales,y' }, 'operator'],
    ['the keys of an object', { roles: { it: { id: 1 } } }, 'admin'],
    ['nothing that is known', { roles: ['SALES', 'sal', ''] }, undefined],
    ['no text', { roles: [1, null, ['it'], { it: 1 }] }, undefined],
    ['a number', { roles: 5 }, undefined],
    ['nothing', {}, undefined],
  ])('gives a role as %s', (_name, claims, role) => {
    expect(roleOf(claims)).toBe(role);
  });

  it('is found by a path, and by a name with dots', () => {
    expect(roleOf({ realm_access: { roles: ['it'] } }, 'realm_access.roles')).toBe('admin');
    expect(roleOf({ 'https://x.example/roles': ['it'] }, 'https://x.example/roles')).toBe('admin');
    expect(roleOf({ a: { 'b.c': 'it' } }, 'a.b.c')).toBe('admin');
    expect(roleOf({ a: 'it' }, 'a.b')).toBeUndefined();
  });

  it('is never one that every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'a.constructor']) {
      expect(findClaim({ a: {} }, name)).toBeUndefined();
    }
  });

  it('gives a role only by a value of the map, whatever it contains', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const role = roleOf({ roles: value });
        const text = JSON.stringify(value);
        if (role !== undefined)
          expect([...map].some(([key, given]) => given === role && text.includes(key))).toBe(true);
      }),
    );
  });

  it('map is read from the setting, or refused', () => {
    expect(readRoleMap('sales=operator, a=b=admin')).toEqual(
      new Map([
        ['sales', 'operator'],
        ['a=b', 'admin'],
      ]),
    );
    for (const text of ['', 'sales', '=admin', 'sales=', 'sales=root', 'a=admin,']) {
      expect(readRoleMap(text), text).toBeUndefined();
    }
    expect(isOperatorRole('root')).toBe(false);
  });
});

describe('the table of endpoints', () => {
  it('does not depend on the prefix, and a HEAD needs what a GET needs', () => {
    for (const prefix of ['', '/api', '/api/v1']) {
      expect(findRoleOf('GET', `${prefix}/admin/rooms/:eventId`)).toBe('viewer');
      expect(findRoleOf('HEAD', `${prefix}/admin/rooms/:eventId`)).toBe('viewer');
      expect(findRoleOf('PUT', `${prefix}/admin/rooms/:eventId`)).toBe('operator');
    }
    expect(toEndpoint('GET', '/apis/x')).toBe('GET /apis/x');
  });

  it('lets viewers change nothing but their own session and second factor', () => {
    const own = /\/admin\/(session|second-factor)/;
    const changing = [...endpointRoles].filter(([endpoint, role]) => role === 'viewer' && !endpoint.startsWith('GET '));
    expect(changing.map(([endpoint]) => endpoint).filter((endpoint) => !own.test(endpoint))).toEqual([]);
  });

  it('has nothing for an endpoint that it does not name', () => {
    expect(findRoleOf('PATCH', '/api/admin/rooms')).toBeUndefined();
    expect(findRoleOf('GET', undefined)).toBeUndefined();
  });
});
