/** Traces every request of an application. */
import type { FastifyInstance } from 'fastify';
import type { RequestTrace, Tracing } from './tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    trace: RequestTrace | undefined;
  }
}

export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest('trace', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, id } = request;
    request.trace = tracing.beginRequest({ method, headers, requestId: id });
    request.trace.enter(done);
  });
  // A body arrives through socket events, which lose the async context: it must be entered again.
  app.addHook('preValidation', (request, _reply, done) => {
    request.trace?.enter(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.trace?.end({ route: request.routeOptions.url ?? 'none', status: reply.statusCode });
    done();
  });
}
