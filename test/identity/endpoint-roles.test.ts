/** Every operator endpoint of the running application asks for the role that the table names. */
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { endpointRoles, toEndpoint } from '../../src/identity/roles/endpoint-roles.ts';
import { mayActAs, type OperatorRole, operatorRoles } from '../../src/identity/roles/operator-roles.ts';
import { createTestApp, secrets, type TestApp } from '../support/test-app.ts';

interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As in the table. */
  endpoint: string;
  url: string;
  isOperator: boolean;
}

function operationsOf(app: FastifyInstance): Operation[] {
  const { paths } = app.swagger() as unknown as {
    paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { security = [] }]) => {
      const method = name.toUpperCase() as Operation['method'];
      return {
        method,
        endpoint: toEndpoint(method, path.replaceAll(/\{(\w+)\}/g, ':$1')),
        url: path.replaceAll(/\{\w+\}/g, 'concert'),
        isOperator:
          security.some((scheme) => 'operatorToken' in scheme) && !security.some((scheme) => 'serviceKey' in scheme),
      };
    }),
  );
}

/** Endpoints of operators that are there to sign in. */
const signInEndpoints = [
  'GET /admin/callback',
  'GET /admin/session',
  'POST /admin/session',
  'DELETE /admin/session',
  'POST /admin/session/provider',
  'POST /admin/session/provider/complete',
];

async function createKey(test: TestApp, role: OperatorRole): Promise<string> {
  const answer = await test.operator('POST', '/api/admin/service-keys', { body: { name: `a-${role}`, role } });
  expect(answer.statusCode).toBe(201);
  return answer.json().token;
}

describe('operator endpoints', () => {
  it('all have a role in the table, and the table has no others', async () => {
    const { app } = await createTestApp({ OPERATOR_ISSUER: 'https://id.example', OPERATOR_CLIENT_ID: 'fairline' });
    await app.ready();
    const operations = operationsOf(app);
    const protectedOnes = new Set(operations.filter(({ isOperator }) => isOperator).map(({ endpoint }) => endpoint));
    const named = new Set(operations.map(({ endpoint }) => endpoint));
    const isKnown = (endpoint: string) => endpointRoles.has(endpoint) || signInEndpoints.includes(endpoint);
    expect([...protectedOnes].filter((endpoint) => !isKnown(endpoint))).toEqual([]);
    expect([...endpointRoles.keys()].filter((endpoint) => !named.has(endpoint))).toEqual([]);
    const admin = [...named].filter((endpoint) => / \/(admin|stats|queue\/admin)\//.test(endpoint));
    expect(admin.length).toBeGreaterThan(40);
    expect(admin.filter((endpoint) => !isKnown(endpoint))).toEqual([]);
  });

  it('refuse every lower role and nobody above, and strangers everywhere', async () => {
    const test = await createTestApp();
    await test.app.ready();
    await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1 } });
    const keys = Object.fromEntries(
      await Promise.all(operatorRoles.map(async (role) => [role, await createKey(test, role)])),
    ) as Record<OperatorRole, string>;
    const checked = operationsOf(test.app).filter(
      // Two need a session of an account, which the tests of second factors have.
      ({ endpoint }) =>
        endpointRoles.has(endpoint) && !endpoint.includes('second-factor') && !endpoint.includes('/code'),
    );
    expect(checked.length).toBeGreaterThan(45);
    for (const { method, endpoint, url } of checked) {
      const needed = endpointRoles.get(endpoint)!;
      const ask = (authorization?: string) =>
        test.app.inject({ method, url, headers: authorization === undefined ? {} : { authorization } });
      expect((await ask()).statusCode, `${endpoint} without a key`).toBe(401);
      for (const role of operatorRoles) {
        const answer = await ask(`Bearer ${keys[role]}`);
        const isRefused = answer.statusCode === 403 && answer.json().error.code === 'ROLE_REQUIRED';
        expect([answer.statusCode === 401, isRefused], `${endpoint} as ${role}`).toEqual([
          false,
          !mayActAs(role, needed),
        ]);
      }
    }
  });

  it('refuse everybody where the table has no role', async () => {
    const test = await createTestApp();
    test.app.get('/api/admin/forgotten', async (request) => test.context.operators.require(request));
    const answer = await test.operator('GET', '/api/admin/forgotten');
    expect([answer.statusCode, answer.json().error.code]).toEqual([500, 'INTERNAL']);
    expect(answer.body).not.toContain(secrets.ADMIN_TOKEN);
  });
});
