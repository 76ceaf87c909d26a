/** Time and outcome of every request, by route. */
import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

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
  app.addHook('onResponse', (request, reply, done) => {
    // How long somebody watched says nothing about how fast they were answered.
    if (reply.raw.getHeader('content-type') === 'text/event-stream') return done();
    const route = request.routeOptions.url ?? 'none';
    const key = `${request.method} ${route} ${reply.statusCode}`;
    let child = children.get(key);
    if (child === undefined) {
      child = seconds.labels(request.method, route, String(reply.statusCode));
      children.set(key, child);
    }
    child.observe(reply.elapsedTime / 1000);
    done();
  });
}
