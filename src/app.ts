/** The HTTP application: every address this program answers. Built apart from listening, so that tests can ask it. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { AccountServices } from './account-stores.ts';
import { createKeepPlaces } from './accounts/keep-places.ts';
import { accountAdminDoor } from './accounts/routes/account-admin.ts';
import { auditDoor } from './accounts/routes/audit.ts';
import { authDoor } from './accounts/routes/auth.ts';
import { operatorSessionDoor } from './accounts/routes/operator-session.ts';
import type { Context } from './context.ts';
import { edgeAdminDoor } from './edge/routes/edge-admin.ts';
import { registerEdgeDoors } from './edge-app.ts';
import { answerNotFound, createErrorAnswer } from './error-answer.ts';
import { AppError } from './errors.ts';
import { activeEventsRoute } from './gate/active-events-route.ts';
import { verifyRoute } from './gate/verify-route.ts';
import { claimDoor } from './line/routes/claim-door.ts';
import { drawsDoor } from './line/routes/draws.ts';
import { pollDoor } from './line/routes/poll-door.ts';
import { queueAdminDoor } from './line/routes/queue-admin.ts';
import { roomsDoor } from './line/routes/rooms.ts';
import { formatBye } from './live/frames.ts';
import { streamDoor } from './live/stream-door.ts';
import { membershipsDoor } from './memberships/routes/memberships.ts';
import { overviewDoor } from './operations/routes/overview.ts';
import { adminPage } from './pages/serve/admin-page.ts';
import { queueDoor } from './pages/serve/queue-door.ts';
import { shopDoor } from './pages/serve/shop-door.ts';
import { paymentsDoor } from './payments/routes/payments.ts';
import { webhookDoor } from './payments/routes/webhook.ts';
import type { Caller } from './platform/callers.ts';
import { stopwatch } from './platform/clock.ts';
import { measureRequests } from './platform/http-metrics.ts';
import { createHttpServer, createTraceIds } from './platform/http-server.ts';
import { RateLimit } from './platform/rate-limit.ts';
import { openShortWay } from './platform/short-way.ts';
import { traceRequests } from './platform/tracing/trace-requests.ts';
import { eventAdminDoor } from './shop/routes/event-admin.ts';
import { eventsDoor } from './shop/routes/events.ts';
import { reservationsDoor } from './shop/routes/reservations.ts';
import { salesDoor } from './shop/routes/sales.ts';
import { seatChangesDoor } from './shop/routes/seat-changes.ts';
import { seatsDoor } from './shop/routes/seats.ts';
import type { Selling } from './shop-stores.ts';
import { statsDoor } from './stats/routes/stats.ts';
import { transfersDoor } from './transfers/routes/transfers.ts';
import { drawPage } from './web/draw-page.ts';

export async function buildApp(context: Context): Promise<FastifyInstance> {
  const { trustProxy } = context.config;
  const onError = createErrorAnswer(context.log);
  const createId = createTraceIds();
  const app = createHttpServer({ trustProxy, createId, onError, onNotFound: answerNotFound });
  const findTimes = measureRequests(app, context.registry);
  if (context.tracing !== undefined) traceRequests(app, context.tracing);
  else openShortWay(app, { trustProxy, createId, onError, findTimes });
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
    registerEdge(app, context);
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
    passes: context.edge.passes,
    priority: context.priority,
    metrics: context.lineMetrics,
    joinsPerVisitor: new RateLimit(config.limits.joinPerVisitor, clock),
    guestJoinsPerAddress: new RateLimit(config.limits.guestJoinPerIp, clock),
    isSecure: secureFlag(config.accounts.cookieSecure),
    tickMs: config.line.admissionIntervalMs,
    now: () => clock.now(),
  };
  for (const prefix of ['/api', '/api/v1']) {
    app.register(pollDoor, { prefix, ...door });
    app.register(claimDoor, { prefix, ...door, waitingTokens: context.waitingTokens });
    app.register(queueAdminDoor, { prefix, store, operators });
    app.register(roomsDoor, { prefix, store, operators, hasShop: config.shop !== undefined });
    app.register(drawsDoor, { prefix, store });
  }
  const { hub, standings } = context.live;
  app.register(streamDoor, { ...door, hub, standings, streamsPerAddress: config.limits.streamsPerIp });
  app.register(queueDoor, { ...door, theme: context.theme, target: config.pages.target });
  app.register(drawPage);
  const { guard, keys, activeEvents } = context.gate;
  app.register(verifyRoute, { store, keys, guard });
  app.register(activeEventsRoute, { activeEvents });
}

function registerEdge(app: FastifyInstance, { config, edge, theme, operators }: Context): void {
  const { store, counters, switching } = edge;
  const { pace, placeTtlMs } = config.edge;
  registerEdgeDoors(app, { edge, theme, placeTtlMs, isSecure: secureFlag(config.accounts.cookieSecure) });
  for (const prefix of ['/api', '/api/v1']) {
    app.register(edgeAdminDoor, { prefix, store, counters, switching, operators, pace });
  }
}

/** What the operators' page goes by, besides the doors of each service. */
function registerOperators(app: FastifyInstance, context: Context): void {
  const { config, store, edge, recorder, operators, theme, clock } = context;
  const now = () => clock.now();
  const tickMs = config.line.admissionIntervalMs;
  const isSecure = secureFlag(config.accounts.cookieSecure);
  const signInsPerAddress = new RateLimit(config.limits.operatorSignInPerIp, clock);
  for (const prefix of ['/api', '/api/v1']) {
    app.register(operatorSessionDoor, { prefix, operators, signInsPerAddress, isSecure, now });
    app.register(auditDoor, { prefix, operators });
    app.register(overviewDoor, {
      prefix,
      store,
      counters: edge.counters,
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
  app.register(shopDoor, { theme: context.theme });
  const offer = { ...config.records.membership, currency: config.shop!.eventDefaults.currency };
  const paymentsPerVisitor = new RateLimit(config.limits.paymentPerVisitor, clock);
  for (const prefix of ['/api', '/api/v1']) {
    app.register(eventsDoor, { prefix, events: shop.events });
    app.register(eventAdminDoor, { prefix, events: shop.events, operators, line: store });
    app.register(salesDoor, { prefix, events: shop.events, operators });
    app.register(seatsDoor, { prefix, ...holding });
    app.register(seatChangesDoor, {
      prefix,
      maps: shop.maps,
      streamsPerAddress: config.limits.streamsPerIp,
      stopping,
    });
    app.register(reservationsDoor, { prefix, ...holding });
    app.register(paymentsDoor, { prefix, ...shop, identity, paymentsPerVisitor });
    app.register(webhookDoor, { prefix, receive: shop.receive });
    app.register(transfersDoor, { prefix, transfers: shop.transfers, identity });
    app.register(membershipsDoor, { prefix, memberships: shop.memberships, identity, offer });
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
    app.register(authDoor, { prefix, ...door });
    app.register(accountAdminDoor, { prefix, ...door });
  }
}

function registerStats(app: FastifyInstance, { operators, clock }: Context, { records }: Selling): void {
  const { stats } = records;
  const options = { stats, operators, countBehind: () => records.countBehind(), now: () => clock.now() };
  for (const prefix of ['/api', '/api/v1']) app.register(statsDoor, { prefix, ...options });
}

function registerOperations(app: FastifyInstance, context: Context): void {
  const { config, store, edge, registry, stopping } = context;
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
        const fault = store.fault() ?? edge.store.fault();
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
