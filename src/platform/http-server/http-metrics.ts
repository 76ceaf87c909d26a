/** Duration and status of every request, by route. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { addPolicyHook } from './request-hooks.ts';
import { type LabelledHistogram, TimeHistogram } from './time-histogram.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the request arrived, on the clock of `performance.now()`. */
    startedAt: number;
  }
}

/** The histogram for one route and response status. */
export type FindHistogram = (method: string, route: string, status: number) => LabelledHistogram;

export function createHttpMetrics(registry: Registry): FindHistogram {
  const times = new TimeHistogram({
    name: 'fairline_http_request_seconds',
    help: 'Time to answer a request, by method, route and status',
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registry,
  });
  const histograms = new Map<string, LabelledHistogram>();
  return (method, route, status) => {
    const key = `${method} ${route} ${status}`;
    const known = histograms.get(key) ?? times.withLabels({ method, route, status: String(status) });
    histograms.set(key, known);
    return known;
  };
}

export function measureRequests(app: FastifyInstance, findHistogram: FindHistogram): void {
  app.decorateRequest('startedAt', 0);
  addPolicyHook(app, 'onRequest', (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    request.startedAt = performance.now();
    done();
  });
  // onSend instead of onResponse, which costs two listeners per request. Event streams take over their response and
  // never get here: how long a stream stays open says nothing about our speed.
  addPolicyHook(
    app,
    'onSend',
    (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: (error: null, payload: unknown) => void) => {
      const { method, routeOptions, startedAt } = request;
      const seconds = (performance.now() - startedAt) / 1000;
      findHistogram(method, routeOptions.url ?? 'none', reply.statusCode).observe(seconds);
      done(null, payload);
    },
  );
}
