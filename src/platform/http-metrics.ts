/** Time and outcome of every request, by route. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { RequestTimes, type RouteTimes } from './request-times.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the request was taken up, on the clock of `performance.now()`. */
    startedAt: number;
  }
}

/** Notes a request that was answered. */
export type MeasureRequest = (method: string, route: string, status: number, ms: number) => void;

/** Measures all requests to `app`; the function is for those that do not come by it. */
export function measureRequests(app: FastifyInstance, registry: Registry): MeasureRequest {
  const times = new RequestTimes({
    name: 'fairline_http_request_seconds',
    help: 'Time to answer a request, by method, route and status',
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registry,
  });
  const routes = new Map<string, RouteTimes>();
  const measure: MeasureRequest = (method, route, status, ms) => {
    const key = `${method} ${route} ${status}`;
    let known = routes.get(key);
    if (known === undefined) {
      known = times.route({ method, route, status: String(status) });
      routes.set(key, known);
    }
    known.observe(ms / 1000);
  };
  app.decorateRequest('startedAt', 0);
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedAt = performance.now();
    done();
  });
  // Taken when the answer is handed over, not when it has left: hearing of that costs two listeners per request. Streams
  // take their response over and so are not counted, which is right: how long one is open says nothing about us.
  app.addHook('onSend', (request, reply, payload, done) => {
    const { method, routeOptions, startedAt } = request;
    measure(method, routeOptions.url ?? 'none', reply.statusCode, performance.now() - startedAt);
    done(null, payload);
  });
  return measure;
}
