/** Every request of an application as part of a trace. */
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
  // A body comes by events of the socket, which know nothing of the request: what follows it has to be entered again.
  app.addHook('preValidation', (request, _reply, done) => {
    request.trace?.enter(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.trace?.end({ route: request.routeOptions.url ?? 'none', status: reply.statusCode });
    done();
  });
}
