/** The routes of tier 1 for devices: part of the full application, or alone where only tier 1 runs (Lambda). */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { answerNotFound, createErrorAnswer, refusals } from '../http/error-answer.ts';
import type { AddressWatch } from '../identity/address-watch.ts';
import type { Theme } from '../pages/design/theme.ts';
import { loadTheme } from '../pages/serve/theme-file.ts';
import { tier1Page } from '../pages/serve/tier1-page.ts';
import type { Caller } from '../platform/http-server/callers.ts';
import { createHttpServer } from '../platform/http-server/http-server.ts';
import { createTraceIds } from '../platform/http-server/trace-ids.ts';
import { tier1Routes } from '../tier1/http/tier1-routes.ts';
import { toCorsPolicy } from './cors-urls.ts';
import type { Tier1 } from './open-tier1.ts';

export interface Tier1RouteParts {
  tier1: Tier1;
  theme: Theme;
  placeTtlMs: number;
  isSecure: (caller: Pick<Caller, 'protocol'>) => boolean;
  /** undefined: nobody would see what it notices. */
  addressWatch?: AddressWatch;
}

export function registerTier1Routes(
  app: FastifyInstance,
  { tier1, theme, placeTtlMs, isSecure, addressWatch }: Tier1RouteParts,
): void {
  // A CDN routes the API by its own path prefix.
  const options = { ...tier1, placeTtlMs, isSecure, addressWatch };
  for (const prefix of ['', '/vwr-api']) app.register(tier1Routes, { prefix, ...options });
  app.register(tier1Page, { ...options, theme });
}

/** Tier 1 alone. It is always behind TLS, so cookies are Secure unless COOKIE_SECURE=off. */
export function buildTier1App(
  config: Pick<Config, 'tier1' | 'accounts' | 'pages' | 'trustProxy' | 'trustedOrigins' | 'corsOrigins' | 'hsts'>,
  tier1: Tier1,
  log: Logger,
) {
  const { trustProxy, trustedOrigins, corsOrigins, hsts } = config;
  const policy = {
    trustProxy,
    trustedOrigins,
    cors: toCorsPolicy(corsOrigins),
    hsts,
    refusals,
    createId: createTraceIds(),
    onError: createErrorAnswer(log),
  };
  const app = createHttpServer(policy, answerNotFound);
  const isSecure = () => config.accounts.cookieSecure !== 'off';
  const theme = loadTheme(config.pages.themeFile);
  registerTier1Routes(app, { tier1, theme, placeTtlMs: config.tier1.placeTtlMs, isSecure });
  return app;
}
