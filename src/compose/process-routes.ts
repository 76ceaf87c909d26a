/** The endpoints about the process itself: is it alive, can it serve, its metrics, its description. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../http/errors.ts';
import { mayReadMetrics } from '../operations/metrics-access.ts';
import { Readiness, requireReady } from '../operations/readiness.ts';
import { type StaticFile, sendFile, toStaticFile } from '../pages/serve/static-file.ts';
import { createMetricsPage } from '../platform/http-server/metrics-page.ts';
import type { Context } from './context.ts';
import { storesOf } from './role-stores.ts';

const Health = Type.Object({ status: Type.String() });
const DESCRIPTION_CACHE = 'public, max-age=300';

export async function processRoutes(app: FastifyInstance, context: Context): Promise<void> {
  const { config, registry, stopping } = context;
  const { needs } = storesOf(config.roles);
  const schema = { tags: ['operations'] };
  const metrics = createMetricsPage(registry);
  const access = {
    token: config.metricsToken,
    allowLocal: config.metricsPort === 0 && config.trustProxy.length === 0,
  };
  // Rendering it takes 8 ms, so once, with the first request: it cannot change.
  let description: StaticFile | undefined;

  app.get(
    '/health',
    {
      schema: {
        ...schema,
        operationId: 'getHealth',
        security: [],
        summary: 'Liveness: the process is running',
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/ready',
    {
      schema: {
        ...schema,
        operationId: 'getReadiness',
        security: [],
        errors: ['STORE_UNAVAILABLE'],
        summary: 'Whether it can serve',
        response: { 200: Readiness },
      },
    },
    async () => requireReady({ isStopping: stopping.aborted, needs, faults: await context.findFaults() }),
  );
  app.get(
    '/metrics',
    {
      schema: {
        ...schema,
        operationId: 'getMetrics',
        security: [{ metrics: [] }, {}],
        errors: ['METRICS_REFUSED'],
        summary: 'Prometheus metrics, for METRICS_TOKEN or clients on the same machine',
        response: { 200: { content: { 'text/plain': { schema: Type.Unsafe<unknown>({ type: 'string' }) } } } },
      },
    },
    async ({ headers, raw }, reply) => {
      if (!mayReadMetrics({ headers, peer: raw.socket.remoteAddress ?? '' }, access)) {
        throw new AppError('METRICS_REFUSED');
      }
      return reply.type(metrics.contentType).send(await metrics.read());
    },
  );
  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) => {
    description ??= toStaticFile('openapi.json', JSON.stringify(app.swagger()));
    return sendFile(description, { cache: DESCRIPTION_CACHE }, request, reply);
  });
}
