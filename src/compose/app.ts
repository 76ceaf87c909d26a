/** The HTTP application: every address this program answers. Built apart from listening, so that tests can ask it. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { accountAdminRoutes } from '../accounts/http/account-admin-routes.ts';
import { authRoutes } from '../accounts/http/auth-routes.ts';
import { createKeepPlaces } from '../accounts/keep-places.ts';
import { activeEventsRoutes } from '../gate/http/active-events-routes.ts';
import { verifyRoutes } from '../gate/http/verify-routes.ts';
import { answerNotFound, createErrorAnswer } from '../http/error-answer.ts';
import { AppError } from '../http/errors.ts';
import { auditRoutes } from '../identity/http/audit-routes.ts';
import { operatorSessionRoutes } from '../identity/http/operator-session-routes.ts';
import { claimRoutes } from '../line/http/claim-routes.ts';
import { drawRoutes } from '../line/http/draw-routes.ts';
import { pollRoutes } from '../line/http/poll-routes.ts';
import { queueAdminRoutes } from '../line/http/queue-admin-routes.ts';
import { roomRoutes } from '../line/http/room-routes.ts';
import { formatBye } from '../live/frames.ts';
import { streamRoutes } from '../live/stream-routes.ts';
import { membershipRoutes } from '../memberships/http/membership-routes.ts';
import { overviewRoutes } from '../operations/http/overview-routes.ts';
import { adminPage } from '../pages/serve/admin-page.ts';
import { drawPage } from '../pages/serve/draw-page.ts';
import { queuePage } from '../pages/serve/queue-page.ts';
import { shopPages } from '../pages/serve/shop-page.ts';
import { paymentRoutes } from '../payments/http/payment-routes.ts';
import { webhookRoutes } from '../payments/http/webhook-routes.ts';
import { stopwatch } from '../platform/clock.ts';
import { openFastPath } from '../platform/fast-http/fast-path.ts';
import type { Caller } from '../platform/http-server/callers.ts';
import { createHttpMetrics } from '../platform/http-server/http-metrics.ts';
import { createHttpServer } from '../platform/http-server/http-server.ts';
import type { ResponsePolicy } from '../platform/http-server/response-policy.ts';
import { createTraceIds } from '../platform/http-server/trace-ids.ts';
import { RateLimit } from '../platform/rate-limit.ts';
import { traceRequests } from '../platform/tracing/trace-requests.ts';
import { eventAdminRoutes } from '../shop/http/event-admin-routes.ts';
import { eventRoutes } from '../shop/http/event-routes.ts';
import { reservationRoutes } from '../shop/http/reservation-routes.ts';
import { salesRoutes } from '../shop/http/sales-routes.ts';
import { seatChangeRoutes } from '../shop/http/seat-change-routes.ts';
import { seatRoutes } from '../shop/http/seat-routes.ts';
import { statsRoutes } from '../stats/http/stats-routes.ts';
import { tier1AdminRoutes } from '../tier1/http/tier1-admin-routes.ts';
import { transferRoutes } from '../transfers/http/transfer-routes.ts';
import type { Context } from './context.ts';
import type { AccountServices } from './open-accounts.ts';
import type { Selling } from './open-shop.ts';
import { registerTier1Routes } from './tier1-app.ts';

export async function buildApp(context: Context): Promise<FastifyInstance> {
  const { trustProxy, httpFastPath } = context.config;
  const policy: ResponsePolicy = {
    trustProxy,
    createId: createTraceIds(),
    onError: createErrorAnswer(context.log),
    findHistogram: createHttpMetrics(context.registry),
  };
  const app = createHttpServer(policy, answerNotFound);
  // Tracing needs the framework's hooks for every request.
  if (context.tracing !== undefined) traceRequests(app, context.tracing);
  else if (httpFastPath) openFastPath(app, policy);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Fairline', version: context.version, description: 'Virtual waiting room and ticket on-sale' },
      components: {
        securitySchemes: {
          visitor: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          operator: { type: 'http', scheme: 'bearer' },
        },
      },
    },
  });
  registerOperations(app, context);
  const { roles } = context.config;
  if (roles.includes('line')) {
    registerLine(app, context);
    registerTier1(app, context);
    registerOperators(app, context);
  }
  if (roles.includes('shop') && context.shop !== undefined) registerShop(app, context, context.shop);
  if (roles.includes('shop') && context.accounts !== undefined) registerAccounts(app, context, context.accounts);
  if (roles.includes('stats') && context.shop !== undefined) registerStats(app, context, context.shop);
  return app;
}

function registerLine(app: FastifyInstance, context: Context): void {
  const { config, store, watch, identity, entryTokens, operators, clock } = context;
  const door = {
    store,
    watch,
    identity,
    entryTokens,
    passes: context.tier1.passes,
    priority: context.priority,
    metrics: context.lineMetrics,
    joinsPerVisitor: new RateLimit(config.limits.joinPerVisitor, clock),
    guestJoinsPerAddress: new RateLimit(config.limits.guestJoinPerIp, clock),
    isSecure: secureFlag(config.accounts.cookieSecure),
    tickMs: config.line.admissionIntervalMs,
    now: () => clock.now(),
  };
  for (const prefix of ['/api', '/api/v1']) {
    app.register(pollRoutes, { prefix, ...door });
    app.register(claimRoutes, { prefix, ...door, waitingTokens: context.waitingTokens });
    app.register(queueAdminRoutes, { prefix, store, operators });
    app.register(roomRoutes, { prefix, store, operators, hasShop: config.shop !== undefined });
    app.register(drawRoutes, { prefix, store });
  }
  const { hub, standings } = context.live;
  app.register(streamRoutes, { ...door, hub, standings, streamsPerAddress: config.limits.streamsPerIp });
  app.register(queuePage, { ...door, theme: context.theme, target: config.pages.target });
  app.register(drawPage);
  const { guard, keys, activeEvents } = context.gate;
  app.register(verifyRoutes, { store, keys, guard });
  app.register(activeEventsRoutes, { activeEvents });
}

function registerTier1(app: FastifyInstance, { config, tier1, theme, operators }: Context): void {
  const { store, counters, switching } = tier1;
  const { pace, placeTtlMs } = config.tier1;
  registerTier1Routes(app, { tier1, theme, placeTtlMs, isSecure: secureFlag(config.accounts.cookieSecure) });
  for (const prefix of ['/api', '/api/v1']) {
    app.register(tier1AdminRoutes, { prefix, store, counters, switching, operators, pace });
  }
}

/** What the operators' page goes by, besides the doors of each service. */
function registerOperators(app: FastifyInstance, context: Context): void {
  const { config, store, tier1, recorder, operators, theme, clock } = context;
  const now = () => clock.now();
  const tickMs = config.line.admissionIntervalMs;
  const isSecure = secureFlag(config.accounts.cookieSecure);
  const signInsPerAddress = new RateLimit(config.limits.operatorSignInPerIp, clock);
  for (const prefix of ['/api', '/api/v1']) {
    app.register(operatorSessionRoutes, { prefix, operators, signInsPerAddress, isSecure, now });
    app.register(auditRoutes, { prefix, operators });
    app.register(overviewRoutes, {
      prefix,
      store,
      counters: tier1.counters,
      recorder,
      operators,
      tickMs,
      now,
      stopwatch,
    });
  }
  app.register(adminPage, { theme, roomDefaults: config.line.roomDefaults, hasShop: config.shop !== undefined });
}

/** Whether cookies of a request's answer carry the Secure flag. */
function secureFlag(setting: 'auto' | 'on' | 'off'): (caller: Pick<Caller, 'protocol'>) => boolean {
  return (caller) => setting === 'on' || (setting === 'auto' && caller.protocol === 'https');
}

function registerShop(app: FastifyInstance, context: Context, shop: Selling): void {
  const { config, store, identity, gate, operators, clock, stopping } = context;
  const now = () => clock.now();
  const holding = {
    ...shop,
    store,
    identity,
    keys: gate.keys,
    holdsPerVisitor: new RateLimit(config.limits.holdPerVisitor, clock),
    now,
  };
  app.register(shopPages, { theme: context.theme });
  const offer = { ...config.records.membership, currency: config.shop!.eventDefaults.currency };
  const paymentsPerVisitor = new RateLimit(config.limits.paymentPerVisitor, clock);
  for (const prefix of ['/api', '/api/v1']) {
    app.register(eventRoutes, { prefix, events: shop.events });
    app.register(eventAdminRoutes, { prefix, events: shop.events, operators, line: store });
    app.register(salesRoutes, { prefix, events: shop.events, operators });
    app.register(seatRoutes, { prefix, ...holding });
    app.register(seatChangeRoutes, {
      prefix,
      maps: shop.maps,
      streamsPerAddress: config.limits.streamsPerIp,
      stopping,
    });
    app.register(reservationRoutes, { prefix, ...holding });
    app.register(paymentRoutes, { prefix, ...shop, identity, paymentsPerVisitor });
    app.register(webhookRoutes, { prefix, receive: shop.receive });
    app.register(transferRoutes, { prefix, transfers: shop.transfers, identity });
    app.register(membershipRoutes, { prefix, memberships: shop.memberships, identity, offer });
  }
}

function registerAccounts(app: FastifyInstance, context: Context, services: AccountServices): void {
  const { config, store, watch, identity, entryTokens, operators, clock } = context;
  const { hub } = context.live;
  const onRenamed = (eventId: string, guest: string) => {
    const watcher = hub.find(eventId, guest);
    if (watcher !== undefined) hub.end(watcher, formatBye('renamed'), 'renamed');
  };
  const door = {
    ...services,
    identity,
    operators,
    entryTokens,
    line: store,
    sessionCookie: config.accounts.sessionCookie,
    keepPlaces: createKeepPlaces({ store, watch, onRenamed }),
    attemptsPerAddress: new RateLimit(config.limits.signInPerIp, clock),
    failuresPerAccount: new RateLimit(config.limits.wrongPasswordPerAccount, clock),
    isSecure: secureFlag(config.accounts.cookieSecure),
    now: () => clock.now(),
  };
  for (const prefix of ['/api', '/api/v1']) {
    app.register(authRoutes, { prefix, ...door });
    app.register(accountAdminRoutes, { prefix, ...door });
  }
}

function registerStats(app: FastifyInstance, { operators, clock }: Context, { records }: Selling): void {
  const { stats } = records;
  const options = { stats, operators, countBehind: () => records.countBehind(), now: () => clock.now() };
  for (const prefix of ['/api', '/api/v1']) app.register(statsRoutes, { prefix, ...options });
}

function registerOperations(app: FastifyInstance, context: Context): void {
  const { config, store, tier1, registry, stopping } = context;
  const schema = { tags: ['operations'] };
  app.register(async (scope) => {
    scope.get(
      '/health',
      { schema: { ...schema, summary: 'Whether the process lives', response: { 200: Health } } },
      async () => ({ status: 'ok' }),
    );
    scope.get(
      '/ready',
      { schema: { ...schema, summary: 'Whether it can serve', response: { 200: Readiness } } },
      async () => {
        if (stopping.aborted) throw new AppError('STOPPING', { retryAfterSeconds: 1 });
        const fault = store.fault() ?? tier1.store.fault();
        if (fault !== undefined) throw new AppError('STORE_UNAVAILABLE', { message: fault, retryAfterSeconds: 2 });
        const away = await context.shop?.database.findFault();
        if (away === undefined) return { status: 'ready' };
        // Where people wait they go on waiting without it; a process that only sells can do nothing.
        if (!config.roles.includes('line'))
          throw new AppError('STORE_UNAVAILABLE', { message: away, retryAfterSeconds: 2 });
        return { status: 'ready', shop: away };
      },
    );
    scope.get('/metrics', { schema: { ...schema, summary: 'Metrics for Prometheus' } }, async (_request, reply) =>
      reply.type(registry.contentType).send(await registry.metrics()),
    );
    scope.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  });
}

const Health = Type.Object({ status: Type.String() });
const Readiness = Type.Object({
  status: Type.String(),
  shop: Type.Optional(Type.String({ description: 'why nothing can be sold right now, though the line goes on' })),
});
