/** Time and outcome of every request, by route. */
import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the request was taken up, on the clock of `performance.now()`. */
    startedAt: number;
  }
}

export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'fairline_http_request_seconds',
    help: 'Time to answer a request, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  });
  // Looking up a labelled child costs more than observing it; routes and statuses are few.
  const children = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  app.decorateRequest('startedAt', 0);
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedAt = performance.now();
    done();
  });
  // Taken when the answer is handed over, not when it has left: hearing of that costs two listeners per request. Streams
  // take their response over and so are not counted, which is right: how long one is open says nothing about us.
  app.addHook('onSend', (request, reply, payload, done) => {
    const route = request.routeOptions.url ?? 'none';
    const key = `${request.method} ${route} ${reply.statusCode}`;
    let child = children.get(key);
    if (child === undefined) {
      child = seconds.labels(request.method, route, String(reply.statusCode));
      children.set(key, child);
    }
    child.observe((performance.now() - request.startedAt) / 1000);
    done(null, payload);
  });
}
