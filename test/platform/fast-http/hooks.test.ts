/** A hook that the fast path would skip must fail the start: nobody would notice that it does not run. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addFastForm, fastRoute, openFastPath } from '../../../src/platform/fast-http/fast-path.ts';
import { createHttpServer } from '../../../src/platform/http-server/http-server.ts';
import type { ResponsePolicy } from '../../../src/platform/http-server/response-policy.ts';

const policy: ResponsePolicy = {
  trustProxy: [],
  trustedOrigins: [],
  hsts: undefined,
  refusals: {
    crossSite: () => new Error('cross-site'),
    missingHost: () => new Error('no host'),
    wrongMethod: () => new Error('wrong method'),
    stopping: () => new Error('stopping'),
    clientError: () => ({ status: 400, headers: {}, body: '' }),
  },
  createId: () => 'id',
  onError: (_error, _request, reply) => reply.code(500).send({}),
};

const route = {
  method: 'GET' as const,
  url: '/status/:eventId',
  schema: {
    params: Type.Object({ eventId: Type.String({ pattern: '^[a-z]+$' }) }),
    response: { 200: Type.Object({}) },
  },
};

/** An app with one fast route in a plugin, after `change` had its way with the app and with the plugin's scope. */
async function start(
  changeApp: (app: FastifyInstance) => unknown,
  changeScope: (scope: FastifyInstance) => unknown = () => {},
): Promise<void> {
  const app = createHttpServer(policy, (_request, reply) => reply.code(404).send({}));
  onTestFinished(() => app.close());
  openFastPath(app, policy);
  app.register(async (scope) => {
    fastRoute(scope, route, async () => ({}));
    await changeScope(scope);
  });
  changeApp(app);
  await app.ready();
}

describe('the start', () => {
  it('succeeds when only the response policy has hooks', async () => {
    await expect(start(() => {})).resolves.toBeUndefined();
  });

  it.each([
    'onRequest',
    'preParsing',
    'preValidation',
    'preHandler',
    'preSerialization',
    'onSend',
    'onResponse',
    'onError',
    'onTimeout',
    'onRequestAbort',
  ] as const)('fails when the app gets an %s hook', async (name) => {
    const addHook = (app: FastifyInstance) => app.addHook(name as 'onRequest', (_request, _reply, done) => done());
    await expect(start(addHook)).rejects.toThrow(`GET /status/:eventId has ${name}`);
  });

  it('fails when the plugin of a fast route gets a hook, even after the route', async () => {
    const addHook = (scope: FastifyInstance) => scope.addHook('preHandler', async () => {});
    await expect(start(() => {}, addHook)).rejects.toThrow('preHandler');
  });

  it('fails when a fast route gets a hook of its own', async () => {
    const withHook = { ...route, url: '/other/:eventId', preHandler: async () => {} };
    const addRoute = (scope: FastifyInstance) => fastRoute(scope, withHook, async () => ({}));
    await expect(start(() => {}, addRoute)).rejects.toThrow('GET /other/:eventId has preHandler');
  });

  it('fails when a route whose plain form takes the fast path gets a hook', async () => {
    const handler = async () => ({});
    const addForm = (scope: FastifyInstance) => {
      addFastForm(scope, { method: 'GET', url: '/check', handler, handle: async () => '' });
      scope.get('/check', { preHandler: async () => {} }, handler);
    };
    await expect(start(() => {}, addForm)).rejects.toThrow('GET /check has preHandler');
  });

  it('fails when a plugin adds a hook to each route as it is registered', async () => {
    const addToEach = (app: FastifyInstance) =>
      app.addHook('onRoute', (options) => {
        options.onRequest = async () => {};
      });
    await expect(start(addToEach)).rejects.toThrow('onRequest');
  });

  it('fails when the plugin of a fast route handles errors differently', async () => {
    const setHandler = (scope: FastifyInstance) => scope.setErrorHandler(() => {});
    await expect(start(() => {}, setHandler)).rejects.toThrow('errorHandler');
  });

  it('succeeds when the hook belongs to a plugin without fast routes', async () => {
    const addPlugin = (app: FastifyInstance) =>
      app.register(async (scope) => {
        scope.addHook('onRequest', async () => {});
        scope.get('/other', async () => ({}));
      });
    await expect(start(addPlugin)).resolves.toBeUndefined();
  });
});
