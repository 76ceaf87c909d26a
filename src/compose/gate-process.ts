/** `fairline gate`: a reverse proxy in front of a site. It needs the line's public keys, or its secrets, and no store. */
import type { IncomingMessage, Server } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { GateConfig } from '../config/gate-settings.ts';
import { findUserProblems } from '../config/user-settings.ts';
import { createOpenPasses } from '../gate/fail-open/signed-passes.ts';
import { createGateMetrics } from '../gate/gate-metrics.ts';
import { createGuard } from '../gate/guard.ts';
import { ActiveEvents, fixedEvents } from '../gate/lookups/active-events.ts';
import { askInstance } from '../gate/lookups/ask-line.ts';
import { fetchActiveEvents } from '../gate/lookups/fetch-active-events.ts';
import { createAddressLimits } from '../gate/proxy/address-limits.ts';
import { createProxy } from '../gate/proxy/proxy.ts';
import { createRefusals } from '../gate/proxy/refusals.ts';
import { createStatusServer } from '../gate/proxy/status-server.ts';
import { type Clock, stopwatch, systemClock } from '../platform/clock.ts';
import { type Callers, createCallers } from '../platform/http-server/callers.ts';
import { listen } from '../platform/http-server/listen.ts';
import { createLog } from '../platform/log.ts';
import { SettingsError } from '../platform/settings/settings.ts';
import { createKeyRing, type KeyRing } from '../signing-keys/key-ring.ts';
import { findKeySource, openGateKeys, ringOfUsers } from './gate-keys.ts';
import { type GateLink, openGateLink } from './gate-link.ts';
import { findServiceKey } from './gate-service-key.ts';
import { createGateSessions } from './gate-sessions.ts';
import { type GateSites, loadSites, openSites } from './gate-sites.ts';
import { failAsWorker, isWorker, serveAsWorker, startWorkers } from './gate-workers.ts';
import { openGateAccess } from './open-gate-access.ts';
import { openTracing } from './open-tracing.ts';
import { openGateUsers } from './open-users.ts';
import { toRing } from './secrets.ts';

export interface RunningGate {
  url: string;
  stop(): Promise<void>;
}

/** In as many processes as configured. undefined: this process is one of the workers, which the first one speaks for. */
export async function startGateProcesses(config: Config, version: string): Promise<RunningGate | undefined> {
  const count = config.gate.workers === 0 ? availableParallelism() : config.gate.workers;
  if (isWorker()) {
    try {
      const { url, registry, stop } = await openGate(config, version, { share: 1 / count });
      serveAsWorker(url, registry, stop);
    } catch (error) {
      failAsWorker(error as Error);
    }
    return undefined;
  }
  if (count === 1) return startGate(config, version);
  // Here too, so that an error is reported once.
  requireSettings(config, await loadSites(config.gate));
  const { host, stopTimeoutMs, logLevel, gate } = config;
  return startWorkers({ count, host, stopTimeoutMs, statusPort: gate.statusPort, log: createLog(logLevel) });
}

/** In this process. */
export async function startGate(config: Config, version: string, clock = systemClock): Promise<RunningGate> {
  const { url, registry, stop } = await openGate(config, version, { clock });
  const { host, gate } = config;
  if (gate.statusPort === 0) return { url, stop };
  const status = createStatusServer(registry);
  await listen(status, { host, port: gate.statusPort });
  return {
    url,
    async stop() {
      await stop();
      status.close();
    },
  };
}

interface OpenGate extends RunningGate {
  registry: Registry;
}

interface OpenGateOptions {
  clock?: Clock;
  /** The part of what all workers together may let pass while the line is away. */
  share?: number;
}

async function openGate(
  config: Config,
  version: string,
  { clock = systemClock, share = 1 }: OpenGateOptions,
): Promise<OpenGate> {
  const { gate } = config;
  const configured = await loadSites(gate);
  requireSettings(config, configured);
  const log = createLog(config.logLevel);
  const tracing = await openTracing(config.tracing, version);
  const activeEvents = createActiveEvents(gate);
  const registry = new Registry();
  const users = await openGateUsers({ config, secrets: ringOfUsers(config.secrets), registry, clock, log });
  const gateKeys = await openGateKeys({ config, userTokens: users.tokens, clock, log });
  const { keys } = gateKeys;
  if (gate.statusPort !== 0) collectDefaultMetrics({ register: registry });
  const link = openLink(config, { registry, log, share });
  const sessions = createGateSessions({ config, registry, clock, log });
  const metrics = createGateMetrics(registry);
  const access = await openGateAccess({ config, metrics, log });
  const parts = {
    ...{ keys, findKeys: gateKeys.findKeys, activeEvents, sessions, metrics, now: () => clock.now() },
    askLine: gate.lineUrl === undefined ? undefined : askInstance(gate.lineUrl),
    failOpen: link?.failOpen,
  };
  const sites = openSites(configured, gate, {
    registry,
    createGuard: (book, upstream) =>
      createGuard({ ...parts, book, access: access.of(book.access), health: link?.health.of(upstream) }),
  });
  const isTrusted = createTrust(config.trustProxy);
  const callers = createCallers(config.trustProxy);
  const proxy = createProxy({
    findSite: sites.findSite,
    keys,
    isTrusted,
    isSecure: createSecureFlag(config, callers),
    addressOf: callers.addressOf,
    limits: createAddressLimits({
      requests: gate.requestsPerIp,
      connections: gate.connectionsPerIp,
      addressOf: callers.addressOf,
      isTrusted,
    }),
    countRefusal: createRefusals(registry, log, () => stopwatch.now()),
    identityHeader: gate.identityHeader,
    timeoutMs: gate.upstreamTimeoutMs,
    uploadPeriodMs: gate.uploadTimeoutMs,
    tracing,
    log,
  });
  const sockets = trackSockets(proxy.server);
  const url = await listen(proxy.server, config);

  async function stop(): Promise<void> {
    proxy.beginStop();
    await close(proxy.server, sockets, config.stopTimeoutMs);
    await sessions?.close();
    await access.close();
    users.close();
    link?.stop();
    gateKeys.stop();
    sites.close();
    await tracing?.close();
  }
  return { url, registry, stop };
}

interface LinkParts {
  registry: Registry;
  log: Logger;
  share: number;
}

/** undefined without a line, or without the key that proves the gate to the line. */
function openLink({ gate, secrets }: Config, parts: LinkParts): GateLink | undefined {
  const serviceKey = findServiceKey(secrets);
  if (gate.lineUrl === undefined || serviceKey === undefined) return undefined;
  const { entryToken, entryTokenPrevious } = secrets;
  const passSecrets: KeyRing = entryToken === undefined ? [serviceKey] : toRing(entryToken, entryTokenPrevious);
  const passes = createOpenPasses(createKeyRing('failOpenPass', passSecrets), systemClock);
  return openGateLink({ ...parts, lineUrl: gate.lineUrl, serviceKey, passes });
}

/** Reports all missing settings at once. */
function requireSettings(config: Config, { sites }: GateSites): void {
  const { gate, secrets, accounts, users } = config;
  const hasPublicKeys = findKeySource(config) !== undefined;
  const rules = sites.flatMap((site) => site.rules.rules);
  const requires = (kind: 'vwr' | 'entry') =>
    !hasPublicKeys && rules.some(({ require }) => require === kind || require === 'both');
  const problems = [
    ...findUserProblems(users),
    ...(gate.upstream === undefined && gate.sitesFile === undefined
      ? [
          'GATE_UPSTREAM (--upstream) is not set: expected the URL of the site behind the gate, or set GATE_SITES_FILE ' +
            '(--sites) for several sites',
        ]
      : []),
    ...(requires('entry')
      ? missing({
          QUEUE_ENTRY_TOKEN_SECRET: secrets.entryToken,
          // Users of an identity provider need no secret.
          ...(users.provider === undefined ? { AUTH_JWT_SECRET: secrets.auth } : {}),
        })
      : []),
    ...(requires('entry') && accounts.guests ? missing({ GUEST_SECRET: secrets.guest }) : []),
    ...(requires('vwr') ? missing({ VWR_TOKEN_SECRET: secrets.vwrToken }) : []),
    ...(rules.some(({ strict }) => strict) && gate.lineUrl === undefined
      ? ['GATE_LINE_URL (--line) is not set: strict rules check each request with the line']
      : []),
  ];
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
}

function missing(secrets: Record<string, string | undefined>): string[] {
  return Object.entries(secrets)
    .filter(([, value]) => value === undefined)
    .map(
      ([name]) =>
        `${name} is not set: the gate needs the same value as the line, to verify its tokens; set it, or read the line’s file with --secret-file DATA_DIR/secrets.json, or verify with public keys: --line or TOKEN_JWKS`,
    );
}

/** Uses Node's BlockList to match addresses and CIDR ranges. */
function createTrust(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false;
  const trusted = new BlockList();
  const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const isRight = isIP(address) !== 0 && (bits === undefined || Number(bits) <= (isIP(address) === 6 ? 128 : 32));
    if (!isRight)
      throw new SettingsError(`TRUST_PROXY=${range}: expected IP addresses or CIDR ranges, separated by commas`);
    if (bits === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

/** The gate itself speaks plain HTTP: a trusted proxy says how the visitor came. */
function createSecureFlag({ accounts }: Config, { protocolOf }: Callers): (request: IncomingMessage) => boolean {
  const { cookieSecure } = accounts;
  return (request) => cookieSecure === 'on' || (cookieSecure === 'auto' && protocolOf(request) === 'https');
}

function createActiveEvents({ lineUrl, vwrEvents }: GateConfig): ActiveEvents {
  if (lineUrl === undefined) return new ActiveEvents(fixedEvents(vwrEvents));
  return new ActiveEvents({ list: () => fetchActiveEvents(lineUrl), now: () => stopwatch.now() });
}

/** Includes those of WebSockets, which the server no longer knows. */
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Waits for requests in progress, at most `timeoutMs`; streams and WebSockets would never end. */
async function close(server: Server, sockets: ReadonlySet<Socket>, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, timeoutMs);
  await closed;
  clearTimeout(timer);
}
