/** The addresses of tier 1 that devices use: part of the whole program, or on their own where only tier 1 runs. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { numberingDoor } from './edge/routes/numbering.ts';
import { pageDoor } from './edge/routes/page.ts';
import type { Edge } from './edge-context.ts';
import { answerNotFound, createErrorAnswer } from './error-answer.ts';
import { createHttpServer } from './platform/http-server.ts';

export interface EdgeDoorParts {
  edge: Edge;
  placeTtlMs: number;
  isSecure: (request: FastifyRequest) => boolean;
}

export function registerEdgeDoors(app: FastifyInstance, { edge, placeTtlMs, isSecure }: EdgeDoorParts): void {
  // Behind a CDN the API has a path of its own beside that of the page.
  for (const prefix of ['', '/vwr-api']) app.register(numberingDoor, { prefix, ...edge, placeTtlMs, isSecure });
  app.register(pageDoor, { ...edge, placeTtlMs, isSecure });
}

/** Tier 1 alone, always reached over TLS. */
export function buildEdgeApp(config: Pick<Config, 'edge' | 'accounts' | 'trustProxy'>, edge: Edge, log: Logger) {
  const app = createHttpServer({
    trustProxy: config.trustProxy,
    onError: createErrorAnswer(log),
    onNotFound: answerNotFound,
  });
  const isSecure = () => config.accounts.cookieSecure !== 'off';
  registerEdgeDoors(app, { edge, placeTtlMs: config.edge.placeTtlMs, isSecure });
  return app;
}
