/** The addresses of tier 1 that devices use: part of the whole program, or on their own where only tier 1 runs. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { numberingDoor } from './edge/routes/numbering.ts';
import { pageDoor } from './edge/routes/page.ts';
import type { Edge } from './edge-context.ts';
import { answerNotFound, createErrorAnswer } from './error-answer.ts';
import { loadTheme } from './pages/serve/theme-file.ts';
import type { Theme } from './pages/theme/theme.ts';
import type { Caller } from './platform/callers.ts';
import { createHttpServer } from './platform/http-server.ts';

export interface EdgeDoorParts {
  edge: Edge;
  theme: Theme;
  placeTtlMs: number;
  isSecure: (caller: Pick<Caller, 'protocol'>) => boolean;
}

export function registerEdgeDoors(app: FastifyInstance, { edge, theme, placeTtlMs, isSecure }: EdgeDoorParts): void {
  // Behind a CDN the API has a path of its own beside that of the page.
  for (const prefix of ['', '/vwr-api']) app.register(numberingDoor, { prefix, ...edge, placeTtlMs, isSecure });
  app.register(pageDoor, { ...edge, theme, placeTtlMs, isSecure });
}

/** Tier 1 alone, always reached over TLS. */
export function buildEdgeApp(
  config: Pick<Config, 'edge' | 'accounts' | 'pages' | 'trustProxy'>,
  edge: Edge,
  log: Logger,
) {
  const app = createHttpServer({
    trustProxy: config.trustProxy,
    onError: createErrorAnswer(log),
    onNotFound: answerNotFound,
  });
  const isSecure = () => config.accounts.cookieSecure !== 'off';
  const theme = loadTheme(config.pages.themeFile);
  registerEdgeDoors(app, { edge, theme, placeTtlMs: config.edge.placeTtlMs, isSecure });
  return app;
}
