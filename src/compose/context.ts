/** The composition root: from the configuration to stores and services. */
import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from '../config/read-config.ts';
import { createAuditTrail } from '../identity/audit-trail.ts';
import { createIdentity, type Identity } from '../identity/identity.ts';
import { createOperatorSessions } from '../identity/operator-sessions.ts';
import { createOperators, type Operators } from '../identity/operators.ts';
import { createLineMetrics, type LineMetrics } from '../line/line-metrics.ts';
import { type Members, Priority } from '../line/priority.ts';
import { observeAdmissions } from '../line/store/admissions.ts';
import type { LinePorts } from '../line/store/line-store.ts';
import { combineObservers, type LineObserver, observeVisits } from '../line/store/visits.ts';
import { createEntryTokens, type EntryTokens } from '../line/tokens/entry-tokens.ts';
import { createWaitingTokens, type WaitingTokens } from '../line/tokens/waiting-tokens.ts';
import type { AdmissionFeed, OnAdmitted } from '../live/feed/admission-feed.ts';
import { Hub } from '../live/hub/hub.ts';
import { createLiveMetrics, type LiveMetrics } from '../live/hub/live-metrics.ts';
import { Standings } from '../live/hub/standings.ts';
import { RoomHistory } from '../operations/room-history.ts';
import { findFaintColours, type Theme } from '../pages/design/theme.ts';
import { loadTheme } from '../pages/serve/theme-file.ts';
import { type Clock, stopwatch, systemClock } from '../platform/clock.ts';
import { fillSecrets } from '../platform/settings/secrets.ts';
import { SettingsError } from '../platform/settings/settings.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { Tier1Store } from '../tier1/store/tier1-store.ts';
import { Switching } from '../tier1/switching.ts';
import type { VwrTokens } from '../tier1/tokens/vwr-tokens.ts';
import { openEmbeddedStores } from './embedded-stores.ts';
import { type AccountServices, createAccountServices } from './open-accounts.ts';
import { createInstanceGate, type InstanceGate } from './open-gate.ts';
import { openNotices } from './open-notices.ts';
import { openShop, type Selling } from './open-shop.ts';
import { createTier1, type Tier1 } from './open-tier1.ts';
import { openTracing } from './open-tracing.ts';
import type { Delivery, Stores, StoresOptions } from './stores.ts';

/** How long a stop waits for notices to be sent. */
const LAST_NOTICES_MS = 2_000;

export interface Context {
  config: Config;
  version: string;
  log: Logger;
  clock: Clock;
  registry: Registry;
  line: LinePorts;
  /** Why the line's store cannot serve right now; undefined when it can. */
  findLineFault: () => string | undefined;
  identity: Identity;
  entryTokens: EntryTokens;
  vwrTokens: VwrTokens;
  tier1: Tier1 & { switching: Switching };
  waitingTokens: WaitingTokens;
  gate: InstanceGate;
  operators: Operators;
  /** The last minutes of every room. */
  roomHistory: RoomHistory;
  lineMetrics: LineMetrics;
  /** Who of those who join goes first. */
  priority: Priority;
  live: Live;
  theme: Theme;
  /** undefined: this instance sells nothing. */
  shop: Selling | undefined;
  /** undefined: there is no database for them. */
  accounts: AccountServices | undefined;
  /** undefined: no traces are made. */
  tracing: Tracing | undefined;
  /** What operators sign in with, to be shown once at the start of an embedded instance. */
  adminToken: string;
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal;
  close(): Promise<void>;
}

/** The streams of this process, and how news of admissions comes to them. */
export interface Live {
  hub: Hub;
  standings: Standings;
  feed: AdmissionFeed;
  metrics: LiveMetrics;
  /** What the admitter of this process calls after each tick. */
  onAdmitted: OnAdmitted;
  /** How it comes to other processes; undefined where there are none. */
  delivery: Delivery | undefined;
}

export interface ContextOptions {
  config: Config;
  version: string;
  log: Logger;
  stopping: AbortSignal;
  clock?: Clock;
  /** Who goes first in rooms that have a lane for it; those with a membership of the shop's if absent. */
  members?: Members;
}

export async function createContext(options: ContextOptions) {
  const { config, version, log, stopping, clock = systemClock } = options;
  const { dataDir } = config;
  // First, since what is opened later asks whether anybody listens.
  const tracing = await openTracing(config.tracing, version);
  const theme = loadTheme(config.pages.themeFile);
  for (const pair of findFaintColours(theme)) log.warn(`THEME_FILE: ${pair}; text needs 4.5 to be read by everybody`);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const stores = await openStores({ config, log, clock });
  const tier1Store = await openTier1(stores, { config, log, clock });
  const { adminToken, entryToken, vwrToken, auth, guest, webhook, ticket } = await fillSecrets(dataDir, {
    adminToken: config.secrets.adminToken,
    entryToken: config.secrets.entryToken,
    vwrToken: config.secrets.vwrToken,
    auth: config.secrets.auth,
    guest: config.secrets.guest,
    webhook: config.secrets.webhook,
    ticket: config.secrets.ticket,
  });
  requireDistinct({
    ADMIN_TOKEN: adminToken,
    QUEUE_ENTRY_TOKEN_SECRET: entryToken,
    VWR_TOKEN_SECRET: vwrToken,
    AUTH_JWT_SECRET: auth,
    GUEST_SECRET: guest,
    PAYMENT_WEBHOOK_SECRET: webhook,
    TICKET_SECRET: ticket,
  });
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const entrySecrets = withPrevious(entryToken, config.secrets.entryTokenPrevious);
  const entryTokens = createEntryTokens(entrySecrets, clock);
  const notices = await openNotices({
    config: config.notices,
    visits: stores.visits,
    entryTokens,
    registry,
    clock,
    log,
  });
  const observers: LineObserver[] = [...notices];
  const observer = combineObservers(observers);
  const { store } = stores;
  const line: LinePorts = {
    visits: observeVisits(stores.visits, observer),
    rooms: store,
    admissions: observeAdmissions(store, observer),
    draws: store,
    numbers: store,
  };
  const tier1 = createTier1({
    config,
    store: tier1Store,
    secrets: withPrevious(vwrToken, config.secrets.vwrTokenPrevious),
    registry,
    clock,
  });
  const shop =
    config.shop &&
    (await openShop({
      config: config.shop,
      records: config.records,
      redis: config.redis,
      secrets: { webhook, ticket },
      line,
      registry,
      tracing,
      clock,
      log,
    }));
  if (shop !== undefined) observers.push(shop.records.traffic);
  const accounts =
    shop &&
    createAccountServices({
      database: shop.database,
      authSecret: auth,
      sessionHours: config.accounts.sessionHours,
      clock,
    });
  const identity = createIdentity({
    authSecrets: withPrevious(auth, config.secrets.authPrevious),
    guestSecret: guest,
    sessionCookie: config.accounts.sessionCookie,
    guestsWelcome: config.accounts.guests,
    hasEnded: accounts?.sessions.hasEnded,
    clock,
  });
  const lineMetrics = createLineMetrics(registry, line.rooms);
  const context: Context = {
    config,
    version,
    log,
    clock,
    registry,
    line,
    findLineFault: () => store.fault(),
    identity,
    entryTokens,
    vwrTokens: tier1.vwrTokens,
    tier1: { ...tier1, switching: new Switching(tier1Store, line.numbers) },
    waitingTokens: createWaitingTokens(entrySecrets, clock),
    gate: await createInstanceGate({ config, visits: line.visits, tier1, registry, clock, entryTokens, identity }),
    operators: createOperators({
      adminToken,
      sessions: createOperatorSessions(adminToken, clock),
      trail: createAuditTrail({ dataDir, clock, log }),
    }),
    roomHistory: new RoomHistory({
      rooms: line.rooms,
      tickMs: config.line.admissionIntervalMs,
      now: () => clock.now(),
    }),
    lineMetrics,
    priority: new Priority({
      members: options.members ?? membersOf(shop),
      visits: line.visits,
      metrics: lineMetrics,
      log,
      clock: stopwatch,
    }),
    live: createLive({ config, stores, entryTokens, registry, log }),
    theme,
    shop,
    accounts,
    tracing,
    adminToken,
    stopping,
    async close() {
      await Promise.all(notices.map((queue) => queue.stop(LAST_NOTICES_MS)));
      await shop?.close();
      if (tier1Store !== stores.tier1) await tier1Store.close();
      await stores.close();
      await tracing?.close();
    },
  };
  return context;
}

/** A membership counts for every event. undefined where nobody can have one. */
function membersOf(shop: Selling | undefined): Members | undefined {
  return shop && { isMember: (_eventId, visitor) => shop.memberships.isMember(visitor) };
}

/** Redis is loaded only where it is used. */
async function openStores(options: StoresOptions): Promise<Stores> {
  if (options.config.redis === undefined) return openEmbeddedStores(options);
  const { openRedisStores } = await import('./redis-stores.ts');
  return openRedisStores(options, options.config.redis);
}

/** DynamoDB is loaded only where it is used. */
async function openTier1(stores: Stores, { config, clock }: StoresOptions): Promise<Tier1Store> {
  if (config.tier1.dynamodb === undefined) return stores.tier1;
  const { openDynamoDbTier1 } = await import('./dynamodb-stores.ts');
  return openDynamoDbTier1(config, config.tier1.dynamodb, clock);
}

function createLive({ config, stores, entryTokens, registry, log }: LiveParts): Live {
  const { store, feed, onAdmitted, delivery } = stores;
  const metrics = createLiveMetrics(registry);
  const { streamsPerVisitor } = config.limits;
  const hub = new Hub({ visits: store, feed, metrics, log, clock: stopwatch, streamsPerVisitor });
  const tickMs = config.line.admissionIntervalMs;
  const standings = new Standings({ hub, visits: store, feed, metrics, entryTokens, log, clock: stopwatch, tickMs });
  return { hub, standings, feed, metrics, onAdmitted, delivery };
}

type LiveParts = Pick<Context, 'config' | 'entryTokens' | 'registry' | 'log'> & { stores: Stores };

function withPrevious(current: string, previous: string | undefined): [string, ...string[]] {
  return previous === undefined ? [current] : [current, previous];
}

/** One secret for two purposes would let a token of one kind be forged by whoever may make the other. */
function requireDistinct(secrets: Record<string, string>): void {
  const names = Object.keys(secrets);
  for (const [index, name] of names.entries()) {
    const same = names.slice(0, index).find((other) => secrets[other] === secrets[name]);
    if (same !== undefined) throw new SettingsError(`${name}: allowed is any secret other than that of ${same}`);
  }
}
