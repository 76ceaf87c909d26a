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

/** Where the times of a route go, by the status of its answers. */
export type FindTimes = (method: string, route: string, status: number) => RouteTimes;

/** Measures all requests to `app`; what it returns is for those that do not come by it. */
export function measureRequests(app: FastifyInstance, registry: Registry): FindTimes {
  const times = new RequestTimes({
    name: 'fairline_http_request_seconds',
    help: 'Time to answer a request, by method, route and status',
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registry,
  });
  const routes = new Map<string, RouteTimes>();
  const findTimes: FindTimes = (method, route, status) => {
    const key = `${method} ${route} ${status}`;
    const known = routes.get(key) ?? times.route({ method, route, status: String(status) });
    routes.set(key, known);
    return known;
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
    const seconds = (performance.now() - startedAt) / 1000;
    findTimes(method, routeOptions.url ?? 'none', reply.statusCode).observe(seconds);
    done(null, payload);
  });
  return findTimes;
}
