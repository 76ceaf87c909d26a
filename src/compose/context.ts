/** The composition root: configuration, then stores, then services. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { OutageReport } from '../gate/fail-open/fail-open.ts';
import { toOutageAction } from '../gate/fail-open/outage-entry.ts';
import { writeFinding } from '../identity/address-findings-file.ts';
import { AddressWatch, describeFinding } from '../identity/address-watch.ts';
import { createIdentity, type Identity } from '../identity/identity.ts';
import { createServices, type Services } from '../identity/services.ts';
import { createLineMetrics, type LineMetrics } from '../line/line-metrics.ts';
import { LotSourceCounter } from '../line/lot-source-counter.ts';
import { createFindTarget } from '../line/model/target.ts';
import { type Members, Priority } from '../line/priority.ts';
import { RoomsInUse } from '../line/rooms-in-use.ts';
import { observeAdmissions } from '../line/store/admissions.ts';
import type { LinePorts } from '../line/store/line-store.ts';
import type { LotSources } from '../line/store/lot-sources.ts';
import { combineObservers, type LineObserver, observeVisits } from '../line/store/visits.ts';
import { createEntryTokens, type EntryTokens } from '../line/tokens/entry-tokens.ts';
import { createWaitingTokens, type WaitingTokens } from '../line/tokens/waiting-tokens.ts';
import type { AdmissionFeed, OnAdmitted } from '../live/feed/admission-feed.ts';
import { Hub } from '../live/hub/hub.ts';
import { createLiveMetrics, type LiveMetrics } from '../live/hub/live-metrics.ts';
import { Standings } from '../live/hub/standings.ts';
import type { NoticeQueue } from '../notices/notice-queue.ts';
import { RoomHistory } from '../operations/room-history.ts';
import { findFaintColours, type Theme } from '../pages/design/theme.ts';
import { loadTheme } from '../pages/serve/theme-file.ts';
import { type Clock, stopwatch, systemClock } from '../platform/clock.ts';
import { Beginning } from '../platform/concurrency/beginning.ts';
import { requireUsableFolder } from '../platform/folder/usable-folder.ts';
import { makePrivate } from '../platform/private-folder.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import { createKeyRing } from '../signing-keys/key-ring.ts';
import type { Tier1Store } from '../tier1/store/tier1-store.ts';
import { Switching } from '../tier1/switching.ts';
import type { VwrTokens } from '../tier1/tokens/vwr-tokens.ts';
import { type Access, endPlaces, openAccess } from './open-access.ts';
import { type AccountServices, createAccountServices } from './open-accounts.ts';
import { createInstanceGate, type InstanceGate, type InstanceGateOptions } from './open-gate.ts';
import { openNotices } from './open-notices.ts';
import { type OperatorServices, openOperators } from './open-operators.ts';
import { openShop, type Selling } from './open-shop.ts';
import { openStores, openTier1Store } from './open-stores.ts';
import { createTier1, type Tier1 } from './open-tier1.ts';
import { openTracing } from './open-tracing.ts';
import { openUsers, type UserServices } from './open-users.ts';
import { storesOf } from './role-stores.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import { createFindFaults, type FindFaults } from './store-faults.ts';
import type { Delivery, Stores } from './stores.ts';
import { type OpenTokenKeys, openTokenKeys, prepareTokenKeys } from './token-keys.ts';

/** How long stopping waits for queued notices and mails to be sent. */
const LAST_NOTICES_MS = 2_000;

/** How long a start waits for stores that have not answered. */
export const FIRST_TRIES_MS = 5_000;

export interface Context {
  config: Config;
  version: string;
  log: Logger;
  clock: Clock;
  registry: Registry;
  line: LinePorts;
  /** What this process does once its stores are there. */
  beginning: Beginning;
  /** Why stores that this process uses are unavailable. */
  findFaults: FindFaults;
  /** Why the line's store cannot serve right now; undefined when it can. */
  findLineFault: () => string | undefined;
  identity: Identity;
  entryTokens: EntryTokens;
  vwrTokens: VwrTokens;
  /** Sign and verify entry tokens, vwr tokens and staff passes. */
  tokenKeys: OpenTokenKeys;
  tier1: Tier1 & { switching: Switching };
  waitingTokens: WaitingTokens;
  gate: InstanceGate;
  /** Bypasses, bans and staff passes that operators change while the sale runs. */
  access: Access;
  operators: OperatorServices['operators'];
  operatorServices: OperatorServices;
  /** Authenticates gates in other processes and the site's backend. */
  services: Services;
  /** Notices visitors who seem to share an address. */
  addressWatch: AddressWatch;
  /** Samples of the last minutes of every room, for the operators' charts. */
  roomHistory: RoomHistory;
  lineMetrics: LineMetrics;
  /** Decides which joining visitors use the priority lane. */
  priority: Priority;
  /** Where the lots of draws come from. */
  lots: { sources: LotSources; counter: LotSourceCounter };
  live: Live;
  theme: Theme;
  /** undefined: this instance sells nothing. */
  shop: Selling | undefined;
  /** undefined: this instance has no database. */
  accounts: AccountServices | undefined;
  /** undefined: tracing is off. */
  tracing: Tracing | undefined;
  /** The operator token. `fairline start` prints it when it was generated. */
  adminToken: string;
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal;
  close(): Promise<void>;
}

/** The open streams of this process, and how admissions reach them. */
export interface Live {
  hub: Hub;
  standings: Standings;
  feed: AdmissionFeed;
  metrics: LiveMetrics;
  /** The admitter of this process calls it after each tick. */
  onAdmitted: OnAdmitted;
  /** Delivers admissions to other processes; undefined with embedded stores, where there are none. */
  delivery: Delivery | undefined;
}

export interface ContextOptions {
  config: Config;
  version: string;
  log: Logger;
  stopping: AbortSignal;
  clock?: Clock;
  /** Who may use the priority lane; by default, visitors with a membership. */
  members?: Members;
}

/** A store that is away is waited for in the background; one that cannot be used fails the start. */
export async function createContext(options: ContextOptions): Promise<Context> {
  const context = await openContext(options);
  const { config, beginning } = context;
  try {
    await beginning.firstTries(storesOf(config.roles).uses, FIRST_TRIES_MS);
    return context;
  } catch (error) {
    await context.close();
    throw error;
  }
}

async function openContext(options: ContextOptions): Promise<Context> {
  const { config, version, log, stopping, clock = systemClock } = options;
  // First: services opened later check whether tracing is on.
  const tracing = await openTracing(config.tracing, version);
  const theme = openTheme({ config, log });
  for (const problem of await requireUsableFolder(config.dataDir)) log.warn(`DATA_DIR: ${problem}`);
  for (const problem of await makePrivate(config.dataDir)) log.warn(`DATA_DIR: ${problem}`);
  const beginning = new Beginning({ log });
  const stores = await openStores({ config, beginning, log, clock });
  const tier1Store = await openTier1Store(stores, { config, beginning, log, clock });
  await prepareTokenKeys(config, clock);
  const secrets = await openSecrets(config);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const tokenKeys = await openTokenKeys({ config, secrets, registry, clock, log });
  const entryTokens = createEntryTokens(tokenKeys.entryToken, clock);
  const { visits } = stores;
  const notices = await openNotices({ config: config.notices, visits, entryTokens, registry, clock, log });
  const observers: LineObserver[] = [...notices];
  // The shop's observer follows below: the shop needs the line first.
  const isObserved = observers.length > 0 || config.shop !== undefined;
  const line = toPorts(stores, isObserved ? combineObservers(observers) : undefined);
  const tier1 = createTier1({ config, store: tier1Store, secrets: secrets.vwrToken, tokenKeys, registry, clock });
  const shop = await openSelling({ config, secrets, line, registry, tracing, clock, log });
  if (shop !== undefined) observers.push(shop.records.traffic);
  const users = openUsers({ config, secrets: secrets.auth, beginning, registry, clock, log });
  const { accounts, identity } = createIdentityServices({ config, secrets, users, shop, theme, registry, clock, log });
  const { adminToken } = secrets;
  const operatorServices = await openOperators({ config, adminToken, database: shop?.database, registry, clock, log });
  const access = openAccess({ beginning, stores, secrets, tokenKeys, operatorServices, clock, log });
  const roomsInUse = new RoomsInUse({ ...line, clock: stopwatch });
  const lineMetrics = createLineMetrics(registry, roomsInUse);
  const context: Context = {
    config,
    version,
    log,
    clock,
    registry,
    line,
    beginning,
    findFaults: createFindFaults({ config, beginning, stores, tier1: tier1Store, shop }),
    findLineFault: () => stores.store.fault(),
    identity,
    entryTokens,
    vwrTokens: tier1.vwrTokens,
    tokenKeys,
    tier1: { ...tier1, switching: new Switching(tier1Store, line.numbers) },
    waitingTokens: createWaitingTokens(createKeyRing('waitingToken', secrets.entryToken), clock),
    gate: await openGate({
      ...{ config, stores, line, lineMetrics, tier1, secrets, operatorServices, access },
      ...{ registry, clock, log, entryTokens, identity },
    }),
    access,
    operators: operatorServices.operators,
    services: createServices(secrets.serviceKeys, operatorServices.operators),
    operatorServices,
    addressWatch: createAddressWatch({ config, clock, log }),
    roomHistory: createRoomHistory({ config, roomsInUse, clock }),
    lineMetrics,
    priority: createPriority(options.members ?? membersOf(shop), { line, lineMetrics, log }),
    lots: createLots({ stores, secrets, clock, log }),
    live: createLive({ config, stores, entryTokens, registry, log }),
    theme,
    shop,
    accounts,
    tracing,
    adminToken,
    stopping,
    close: () => closeAll({ context, stores, tier1Store, notices, users }),
  };
  access.list.onChange((added) => endPlaces(added, { hub: context.live.hub, forgetPlace: stores.forgetPlace }));
  return context;
}

interface OpenParts {
  context: Context;
  stores: Stores;
  tier1Store: Tier1Store;
  notices: readonly NoticeQueue[];
  users: UserServices;
}

/** What uses a store is closed before it. */
async function closeAll({ context, stores, tier1Store, notices, users }: OpenParts): Promise<void> {
  const { beginning, gate, access, operatorServices, accounts, lots, shop, tokenKeys, tracing } = context;
  await beginning.stop();
  users.close();
  await gate.sessions.close();
  await Promise.all(notices.map((queue) => queue.stop(LAST_NOTICES_MS)));
  await access.close();
  await operatorServices.close();
  await accounts?.mailQueue.stop(LAST_NOTICES_MS);
  await lots.counter.flush();
  await shop?.close();
  if (tier1Store !== stores.tier1) await tier1Store.close();
  await stores.close();
  tokenKeys.stop();
  await tracing?.close();
}

function openTheme({ config, log }: Pick<Context, 'config' | 'log'>): Theme {
  const theme = loadTheme(config.pages.themeFile);
  for (const pair of findFaintColours(theme)) log.warn(`THEME_FILE: ${pair}; WCAG AA needs a contrast of 4.5`);
  return theme;
}

type GateParts = Omit<InstanceGateOptions, 'visits' | 'rooms' | 'findFault' | 'entrySecrets' | 'onOutage'> & {
  stores: Stores;
  line: LinePorts;
  secrets: Secrets;
  operatorServices: OperatorServices;
};

function openGate({ stores, line, secrets, operatorServices, ...parts }: GateParts): Promise<InstanceGate> {
  return createInstanceGate({
    ...parts,
    ...line,
    findFault: () => stores.store.fault(),
    entrySecrets: secrets.entryToken,
    onOutage: (report) => auditOutage(report, operatorServices, parts.log),
  });
}

function auditOutage(report: OutageReport, { operators }: OperatorServices, log: Logger): void {
  const entry = { ...toOutageAction(`${hostname()}:${process.pid}`, report), from: '', traceId: '' };
  operators.trail.write(entry).catch((error) => log.error({ err: error }, 'the audit entry of an outage was lost'));
}

function toPorts({ store, visits }: Stores, observer: LineObserver | undefined): LinePorts {
  return {
    visits: observer ? observeVisits(visits, observer) : visits,
    rooms: store,
    admissions: observer ? observeAdmissions(store, observer) : store,
    draws: store,
    numbers: store,
    schedules: store,
  };
}

function createLots({
  stores,
  secrets,
  clock,
  log,
}: Pick<Context, 'clock' | 'log'> & { stores: Stores; secrets: Secrets }) {
  const { lotSources: sources } = stores;
  const now = () => clock.now();
  return { sources, counter: new LotSourceCounter({ store: sources, secret: secrets.guest[0], now, log }) };
}

type SellingParts = Pick<Context, 'config' | 'line' | 'registry' | 'tracing' | 'clock' | 'log'> & { secrets: Secrets };

/** undefined: this instance sells nothing. */
async function openSelling({ config, secrets, ...parts }: SellingParts): Promise<Selling | undefined> {
  if (config.shop === undefined) return undefined;
  const { records, redis, posters } = config;
  const keys = {
    paymentWebhook: createKeyRing('paymentWebhook', secrets.webhook),
    ticketCode: createKeyRing('ticketCode', secrets.ticket),
  };
  return openShop({ config: config.shop, records, redis, posters, keys, ...parts });
}

type AccessParts = Pick<Context, 'config' | 'shop' | 'theme' | 'registry' | 'clock' | 'log'> & {
  secrets: Secrets;
  users: UserServices;
};

/** Accounts are in the shop's database; without a shop there are none, and visitors are users of the site or guests. */
function createIdentityServices({
  shop,
  secrets,
  users,
  ...parts
}: AccessParts): Pick<Context, 'accounts' | 'identity'> {
  const { sessionCookie, guests: guestsWelcome } = parts.config.accounts;
  const authSecrets = createKeyRing('userSession', secrets.auth);
  const accounts = shop && createAccountServices({ ...parts, database: shop.database, authSecrets });
  const identity = createIdentity({
    authSecrets,
    userTokens: users.tokens,
    guestKeys: createKeyRing('guestCookie', secrets.guest),
    sessionCookie,
    guestsWelcome,
    hasEnded: accounts?.sessions.hasEnded,
    clock: parts.clock,
  });
  return { accounts, identity };
}

function createAddressWatch({ config, clock, log }: Pick<Context, 'config' | 'clock' | 'log'>): AddressWatch {
  const { trustProxy, dataDir } = config;
  return new AddressWatch({
    trustProxy,
    clock,
    onFinding(finding) {
      const { found, advice } = describeFinding(finding);
      log.warn({ address: finding.address, cause: finding.cause }, `${found}: ${advice}`);
      writeFinding(dataDir, finding).catch((error) =>
        log.warn({ err: error }, 'address finding not kept for the doctor'),
      );
    },
  });
}

function createRoomHistory({ config, roomsInUse: rooms, clock }: HistoryParts): RoomHistory {
  return new RoomHistory({ rooms, tickMs: config.line.admissionIntervalMs, now: () => clock.now() });
}

type HistoryParts = Pick<Context, 'config' | 'clock'> & { roomsInUse: RoomsInUse };

function createPriority(
  members: Members | undefined,
  { line, lineMetrics, log }: Pick<Context, 'line' | 'lineMetrics' | 'log'>,
): Priority {
  return new Priority({ members, visits: line.visits, metrics: lineMetrics, log, clock: stopwatch });
}

/** A membership is valid for every event. undefined: without a shop there are no memberships. */
function membersOf(shop: Selling | undefined): Members | undefined {
  return shop && { isMember: (_eventId, visitor) => shop.memberships.isMember(visitor) };
}

function createLive({ config, stores, entryTokens, registry, log }: LiveParts): Live {
  const { store, feed, onAdmitted, delivery } = stores;
  const metrics = createLiveMetrics(registry);
  const { streamsPerVisitor } = config.limits;
  const hub = new Hub({ visits: store, feed, metrics, log, clock: stopwatch, streamsPerVisitor });
  const tickMs = config.line.admissionIntervalMs;
  const findTarget = createFindTarget(config.pages.target);
  const standings = new Standings({
    ...{ hub, visits: store, feed, metrics, entryTokens, findTarget, log, tickMs },
    clock: stopwatch,
  });
  return { hub, standings, feed, metrics, onAdmitted, delivery };
}

type LiveParts = Pick<Context, 'config' | 'entryTokens' | 'registry' | 'log'> & { stores: Stores };
