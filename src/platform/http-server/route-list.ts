/** The list of all routes of a server, so that tests can check a rule for every endpoint there is. */
import type { FastifyContextConfig, FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    routeList: readonly ListedRoute[];
  }
}

export interface ListedRoute {
  method: string;
  /** With its prefix and parameters: `/api/queue/status/:eventId`. */
  url: string;
  config: FastifyContextConfig;
}

export function trackRoutes(app: FastifyInstance): void {
  const routes: ListedRoute[] = [];
  app.decorate('routeList', routes);
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const name of [method].flat()) routes.push({ method: name, url, config: config ?? {} });
  });
}
