/**
 * The HTTP application and its route table: one `register*` function per service, nothing decided here. Listening is
 * start.ts's job, so tests can inject requests.
 */
import type { FastifyInstance } from 'fastify';
import { accessRoutes } from '../gate/access/http/access-routes.ts';
import { gateAccessRoutes } from '../gate/access/http/gate-access-routes.ts';
import { passAdminRoutes, passRoutes } from '../gate/access/http/pass-routes.ts';
import { visitorRoutes } from '../gate/access/http/visitor-routes.ts';
import { activeEventsRoutes } from '../gate/http/active-events-routes.ts';
import { gateRoutes } from '../gate/http/gate-routes.ts';
import { jwksRoutes } from '../gate/http/jwks-routes.ts';
import { gateSessionRoutes, releaseRoutes } from '../gate/http/session-routes.ts';
import { verifyRoutes } from '../gate/http/verify-routes.ts';
import { createErrorAnswer, createNotFoundAnswer, refusals } from '../http/error-answer.ts';
import { describeRoutes } from '../http/openapi/document.ts';
import { SharedReads } from '../http/shared-reads.ts';
import { translateRequests } from '../http/translate-requests.ts';
import { auditRoutes } from '../identity/http/audit-routes.ts';
import { operatorSessionRoutes } from '../identity/http/operator-session-routes.ts';
import { secondFactorRoutes } from '../identity/http/second-factor-routes.ts';
import { OPERATOR_COOKIE } from '../identity/operator-sessions.ts';
import { GUEST_COOKIE } from '../identity/visitor.ts';
import { AccountRule } from '../line/account-rule.ts';
import { claimRoutes } from '../line/http/claim-routes.ts';
import { Doorway } from '../line/http/doorway.ts';
import { drawRoutes } from '../line/http/draw-routes.ts';
import { healthRoutes } from '../line/http/health-routes.ts';
import { lotSourceRoutes } from '../line/http/lot-source-routes.ts';
import { PlaceLimits } from '../line/http/place-limits.ts';
import { pollRoutes } from '../line/http/poll-routes.ts';
import { queueAdminRoutes } from '../line/http/queue-admin-routes.ts';
import { getRoom, roomRoutes } from '../line/http/room-routes.ts';
import { scheduleRoutes } from '../line/http/schedule-routes.ts';
import { createFindTarget } from '../line/model/target.ts';
import { streamRoutes } from '../live/http/stream-routes.ts';
import { membershipRoutes } from '../memberships/http/membership-routes.ts';
import { createCachedRead } from '../operations/cached-read.ts';
import { overviewRoutes } from '../operations/http/overview-routes.ts';
import { adminPage } from '../pages/serve/admin-page.ts';
import { designPage } from '../pages/serve/design-page.ts';
import { drawPage } from '../pages/serve/draw-page.ts';
import { createErrorPages } from '../pages/serve/error-page.ts';
import { icons } from '../pages/serve/icons.ts';
import { passPage } from '../pages/serve/pass-page.ts';
import { queuePage } from '../pages/serve/queue-page.ts';
import { sessionScript } from '../pages/serve/session-script.ts';
import { shopPages } from '../pages/serve/shop-page.ts';
import { paymentRoutes } from '../payments/http/payment-routes.ts';
import { webhookRoutes } from '../payments/http/webhook-routes.ts';
import { stopwatch } from '../platform/clock.ts';
import { openFastPath } from '../platform/fast-http/fast-path.ts';
import { createHttpMetrics } from '../platform/http-server/http-metrics.ts';
import { createHttpServer } from '../platform/http-server/http-server.ts';
import type { ResponsePolicy } from '../platform/http-server/response-policy.ts';
import { createTraceIds } from '../platform/http-server/trace-ids.ts';
import { RateLimit } from '../platform/rate-limit.ts';
import { traceRequests } from '../platform/tracing/trace-requests.ts';
import { posterAdminRoutes } from '../posters/http/poster-admin-routes.ts';
import { posterRoutes } from '../posters/http/poster-routes.ts';
import { createFindNames } from '../shop/event-names.ts';
import { createFindBooking } from '../shop/find-booking.ts';
import { bookingAdminRoutes } from '../shop/http/booking-admin-routes.ts';
import { buyerRoutes } from '../shop/http/buyer-routes.ts';
import { eventAdminRoutes } from '../shop/http/event-admin-routes.ts';
import { eventRoutes } from '../shop/http/event-routes.ts';
import { reservationRoutes } from '../shop/http/reservation-routes.ts';
import { salesRoutes } from '../shop/http/sales-routes.ts';
import { seatChangeRoutes } from '../shop/http/seat-change-routes.ts';
import { seatRoutes } from '../shop/http/seat-routes.ts';
import { ticketRoutes } from '../shop/http/ticket-routes.ts';
import { createEventAnswers } from '../shop/http/to-event-answer.ts';
import { statsRoutes } from '../stats/http/stats-routes.ts';
import { tier1AdminRoutes } from '../tier1/http/tier1-admin-routes.ts';
import { DEVICE_COOKIE } from '../tier1/tokens/vwr-pass.ts';
import { transferRoutes } from '../transfers/http/transfer-routes.ts';
import type { Context } from './context.ts';
import { toCorsPolicy } from './cors-urls.ts';
import { createFindPreview } from './event-previews.ts';
import { hasDatabase } from './has-database.ts';
import { openCompat } from './open-compat.ts';
import type { Selling } from './open-shop.ts';
import { registerOperatorRoles } from './operator-routes.ts';
import { processRoutes } from './process-routes.ts';
import { registerAccounts } from './register-accounts.ts';
import { secureFlag } from './secure-flag.ts';
import { registerTier1Routes } from './tier1-app.ts';

/** Gates ask once per second each. */
const GATE_ROOMS_FRESH_MS = 500;

export async function buildApp(context: Context): Promise<FastifyInstance> {
  const { trustProxy, trustedOrigins, corsOrigins, compat, hsts, httpFastPath } = context.config;
  const hasShop = context.config.roles.includes('shop') && context.shop !== undefined;
  const findErrorPage = createErrorPages({ theme: context.theme, hasShop });
  const policy: ResponsePolicy = {
    trustProxy,
    trustedOrigins,
    cors: toCorsPolicy(corsOrigins),
    hsts,
    prepare: context.identity.prepare,
    refusals,
    createId: createTraceIds(),
    onError: createErrorAnswer(context.log, findErrorPage),
    findHistogram: createHttpMetrics(context.registry),
  };
  const app = createHttpServer(policy, createNotFoundAnswer(findErrorPage));
  // Tracing needs the framework's hooks for every request.
  if (context.tracing !== undefined) traceRequests(app, context.tracing);
  else if (httpFastPath) openFastPath(app, policy);
  translateRequests(app, await openCompat(compat), {
    cors: policy.cors,
    onFailure: (err, path) => context.log.error({ err, path }, 'translation failed'),
  });
  await describeRoutes(app, {
    version: context.version,
    cookies: {
      session: context.config.accounts.sessionCookie.name,
      guest: GUEST_COOKIE.name,
      operator: OPERATOR_COOKIE.name,
      device: DEVICE_COOKIE.name,
    },
  });
  app.register(processRoutes, context);
  app.register(icons, { theme: context.theme });
  if (context.config.pages.designPage) app.register(designPage, { theme: context.theme });
  const { roles } = context.config;
  if (roles.includes('line')) {
    registerLine(app, context);
    registerTier1(app, context);
    registerOperators(app, context);
    registerAccess(app, context);
  }
  const { shop } = context;
  // In a scope of its own: its hook is not for the routes of the line.
  if (roles.includes('shop') && shop !== undefined) app.register(async (scope) => registerShop(scope, context, shop));
  if (roles.includes('shop') && context.accounts !== undefined) registerAccounts(app, context, context.accounts);
  if (roles.includes('stats') && context.shop !== undefined) registerStats(app, context, context.shop);
  return app;
}

function registerLine(app: FastifyInstance, context: Context): void {
  const { config, line, identity, entryTokens, operators, clock } = context;
  const { visits, rooms, draws, schedules } = line;
  const metrics = context.lineMetrics;
  const doorway = new Doorway({
    visits,
    rooms,
    identity,
    entryTokens,
    tokenExchange: context.tier1.tokenExchange,
    priority: context.priority,
    accountRule: new AccountRule({ visits, clock: stopwatch }),
    doorRule: context.gate.doorRule,
    lotSources: context.lots.counter,
    addressWatch: context.addressWatch,
    hasSignIn: context.accounts !== undefined && config.roles.includes('shop'),
    metrics,
    limits: new PlaceLimits({
      joinsPerVisitor: new RateLimit(config.limits.joinPerVisitor, clock),
      identityCounts: context.tier1.identityCounts,
      proofOfWork: context.tier1.proofOfWork,
      guestAllowance: config.limits.guestJoinPerIp,
    }),
    isSecure: secureFlag(config.accounts.cookieSecure),
    entryCookieReadable: config.accounts.entryCookieReadable,
    clock,
  });
  const tickMs = config.line.admissionIntervalMs;
  const findTarget = createFindTarget(config.pages.target);
  const findNames =
    context.shop &&
    createFindNames({
      events: context.shop.events,
      hasDatabase: () => hasDatabase(config),
      clock: stopwatch,
    });
  const listsPerAddress = new RateLimit(config.limits.drawListPerIp, clock);
  for (const prefix of ['/api', '/api/v1']) {
    app.register(pollRoutes, { prefix, doorway, metrics, findTarget, findNames, tickMs, clock });
    app.register(claimRoutes, {
      ...{ prefix, doorway, visits, metrics, findTarget, tickMs, clock },
      waitingTokens: context.waitingTokens,
      guestsWelcome: config.accounts.guests,
      isStrict: config.line.claimStrict,
    });
    app.register(queueAdminRoutes, { prefix, rooms, operators, lotSources: context.lots.sources });
    app.register(lotSourceRoutes, { prefix, rooms, operators, ...context.lots });
    app.register(roomRoutes, { prefix, rooms, operators, hasShop: config.shop !== undefined });
    app.register(scheduleRoutes, { prefix, rooms, schedules, operators, hasShop: config.shop !== undefined, clock });
    app.register(drawRoutes, { prefix, draws, rooms, listsPerAddress });
    app.register(healthRoutes, { prefix, rooms, services: context.services });
  }
  const { hub, standings } = context.live;
  app.register(streamRoutes, { doorway, hub, standings, streamsPerAddress: config.limits.streamsPerIp });
  app.register(queuePage, { doorway, tickMs, clock, theme: context.theme, findTarget });
  app.register(drawPage, { theme: context.theme });
  const { guard, keys, activeEvents, doorRule, desk, sessions: keeper } = context.gate;
  const { services } = context;
  app.register(verifyRoutes, {
    ...{ visits, keys, guard, doorRule, now: () => clock.now() },
    isSecure: secureFlag(config.accounts.cookieSecure),
  });
  app.register(gateSessionRoutes, { desk, services });
  for (const prefix of ['/api', '/api/v1']) {
    app.register(releaseRoutes, { prefix, desk, services, keeper, entryTokens, operators });
  }
  app.register(sessionScript);
  app.register(activeEventsRoutes, { activeEvents });
  app.register(jwksRoutes, { published: () => context.tokenKeys.published() });
  app.register(gateRoutes, {
    ...{ rooms, operators, services: context.services, findFault: context.findLineFault },
    // For any number of gates.
    findGateRooms: createCachedRead(() => context.gate.rooms.find(), GATE_ROOMS_FRESH_MS, stopwatch),
  });
}

/** Bypasses, bans and staff passes. */
function registerAccess(app: FastifyInstance, context: Context): void {
  const { config, access, line, operators, services, clock } = context;
  const { live, links, passes, list, bypasses } = access;
  const requireRoom = async (eventId: string) => void (await getRoom(line.rooms, eventId));
  const now = () => clock.now();
  const isSecure = secureFlag(config.accounts.cookieSecure);
  const findRoomTarget = createFindTarget(config.pages.target);
  const findTarget = async (eventId: string) => {
    const room = await line.rooms.findRoom(eventId);
    return findRoomTarget({ eventId, settings: room?.crowd.settings ?? {}, to: undefined });
  };
  const passParts = { access: live, links, passes, operators, requireRoom, findTarget, isSecure, now };
  app.register(passPage, { theme: context.theme });
  app.register(gateAccessRoutes, { list, bypasses, services });
  for (const prefix of ['/api', '/api/v1']) {
    app.register(accessRoutes, { prefix, access: live, operators, requireRoom });
    app.register(visitorRoutes, { prefix, access: live, visits: line.visits, operators, now });
    app.register(passRoutes, { prefix, ...passParts });
    app.register(passAdminRoutes, { prefix, ...passParts });
  }
}

function registerTier1(app: FastifyInstance, { config, tier1, theme, operators, addressWatch }: Context): void {
  const { store, counters, switching } = tier1;
  const { pace, placeTtlMs } = config.tier1;
  const isSecure = secureFlag(config.accounts.cookieSecure);
  registerTier1Routes(app, { tier1, theme, placeTtlMs, isSecure, addressWatch });
  for (const prefix of ['/api', '/api/v1']) {
    app.register(tier1AdminRoutes, { prefix, store, counters, switching, operators, pace });
  }
}

/** The operators' page, and the endpoints it needs besides those of each service. */
function registerOperators(app: FastifyInstance, context: Context): void {
  const { config, line, tier1, roomHistory, operators, theme, clock } = context;
  const now = () => clock.now();
  const tickMs = config.line.admissionIntervalMs;
  const isSecure = secureFlag(config.accounts.cookieSecure);
  const signInsPerAddress = new RateLimit(config.limits.operatorSignInPerIp, clock);
  for (const prefix of ['/api', '/api/v1']) {
    app.register(operatorSessionRoutes, { prefix, operators, signInsPerAddress, isSecure, now });
    app.register(auditRoutes, { prefix, operators, now });
    app.register(overviewRoutes, {
      prefix,
      rooms: line.rooms,
      findFault: context.findLineFault,
      listAddressFindings: () => context.addressWatch.list(),
      counters: tier1.counters,
      roomHistory,
      operators,
      tickMs,
      now,
      stopwatch,
    });
  }
  registerSecondFactor(app, context);
  registerOperatorRoles(app, context, { signInsPerAddress, isSecure });
  const hasSecondFactor = operators.accounts !== undefined && config.accounts.secondFactor !== 'off';
  const hasShop = config.shop !== undefined;
  const providerName = config.operatorProvider?.name;
  app.register(adminPage, { theme, roomDefaults: config.line.roomDefaults, hasShop, hasSecondFactor, providerName });
}

function registerSecondFactor(app: FastifyInstance, { config, operators, operatorServices, clock }: Context): void {
  const { accounts } = operators;
  if (accounts === undefined || config.accounts.secondFactor === 'off') return;
  const options = {
    operators: { ...operators, accounts },
    countRefusal: () => operatorServices.operatorMetrics.refuse('code'),
    isSecure: secureFlag(config.accounts.cookieSecure),
    now: () => clock.now(),
  };
  for (const prefix of ['/api', '/api/v1']) app.register(secondFactorRoutes, { prefix, ...options });
}

/** Whether the cookies of a response get the Secure flag. */
function registerShop(app: FastifyInstance, context: Context, shop: Selling): void {
  const { config, line, identity, gate, operators, clock, stopping } = context;
  const now = () => clock.now();
  const holding = {
    ...shop,
    visits: line.visits,
    identity,
    keys: gate.keys,
    holdsPerVisitor: new RateLimit(config.limits.holdPerVisitor, clock),
    now,
  };
  const offer = { ...config.records.membership, currency: config.shop!.eventDefaults.currency };
  const paymentsPerVisitor = new RateLimit(config.limits.paymentPerVisitor, clock);
  const clientKey = config.shop!.paymentClientKey;
  const reads = new SharedReads({
    perAddress: new RateLimit(config.limits.publicReadPerIp, clock),
    clock: stopwatch,
  });
  const sharedPerIp = new RateLimit(config.limits.publicReadPerIp, clock);
  const perIp = new RateLimit(config.limits.findTicketPerIp, clock);
  const findBooking = createFindBooking({ bookings: shop.bookings, perIp, clock });
  forgetAfterChanges(app, reads);
  app.register(shopPages, {
    theme: context.theme,
    guard: gate.shopGuard,
    refundUntilHours: config.shop!.refundUntilHours,
    findPreview: createFindPreview(shop, reads, config.mail.publicUrl),
  });
  app.register(posterRoutes, { posters: shop.posters, events: shop.events, reads });
  const { refundUntilHours } = config.shop!;
  const answers = createEventAnswers({ rooms: line.rooms, refundUntilHours, now });
  for (const prefix of ['/api', '/api/v1']) {
    app.register(eventRoutes, { prefix, events: shop.events, answers, reads });
    app.register(eventAdminRoutes, {
      ...{ prefix, events: shop.events, answers, operators, rooms: line.rooms },
      projectStock: (eventId) => shop.stock.project(eventId),
    });
    app.register(posterAdminRoutes, { prefix, posters: shop.posters, operators });
    app.register(salesRoutes, { prefix, events: shop.events, answers, operators });
    app.register(seatRoutes, { prefix, ...holding, reads });
    app.register(seatChangeRoutes, {
      prefix,
      maps: shop.maps,
      reads,
      streamsPerAddress: config.limits.streamsPerIp,
      stopping,
    });
    app.register(reservationRoutes, { prefix, ...holding });
    app.register(buyerRoutes, { prefix, ...holding });
    app.register(ticketRoutes, { prefix, ...shop, findBooking, sharedPerIp });
    app.register(bookingAdminRoutes, { prefix, ...shop, operators, now });
    app.register(paymentRoutes, { prefix, ...shop, identity, paymentsPerVisitor, clientKey, holding });
    app.register(webhookRoutes, { prefix, receive: shop.receive });
    app.register(transferRoutes, { prefix, transfers: shop.transfers, identity, reads });
    app.register(membershipRoutes, { prefix, memberships: shop.memberships, identity, offer });
  }
}

/** The next reader sees a change made through this process at once. */
function forgetAfterChanges(app: FastifyInstance, reads: SharedReads): void {
  app.addHook('onSend', async ({ method }, _reply, payload) => {
    if (method !== 'GET' && method !== 'HEAD') reads.forget();
    return payload;
  });
}

function registerStats(app: FastifyInstance, { operators, clock }: Context, { records }: Selling): void {
  const { stats } = records;
  const options = { stats, operators, countBehind: () => records.countBehind(), now: () => clock.now() };
  for (const prefix of ['/api', '/api/v1']) app.register(statsRoutes, { prefix, ...options });
}
