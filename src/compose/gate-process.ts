/** `fairline gate`: a reverse proxy in front of a site. It needs the secrets and no store. */
import type { IncomingMessage, Server } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { GateConfig } from '../config/gate-settings.ts';
import { findVariable } from '../config/read-config.ts';
import { createStaffPasses } from '../gate/access/staff-passes.ts';
import type { VerificationKeys } from '../gate/decision/gate-request.ts';
import { isForLine, lineRules } from '../gate/decision/line-paths.ts';
import type { RuleBook } from '../gate/decision/rules.ts';
import { createGateMetrics } from '../gate/gate-metrics.ts';
import { createGuard } from '../gate/guard.ts';
import { loadRules } from '../gate/load-rules.ts';
import { ActiveEvents, fixedEvents } from '../gate/lookups/active-events.ts';
import { askInstance } from '../gate/lookups/ask-line.ts';
import { fetchActiveEvents } from '../gate/lookups/fetch-active-events.ts';
import { createVerificationKeys } from '../gate/lookups/verification-keys.ts';
import { createAddressLimits } from '../gate/proxy/address-limits.ts';
import { createDestination, type Destination, REQUESTS_AT_MOST, UPLOADS_AT_MOST } from '../gate/proxy/destination.ts';
import { createProxy } from '../gate/proxy/proxy.ts';
import { createRefusals, measureDestinations } from '../gate/proxy/refusals.ts';
import { createStatusServer } from '../gate/proxy/status-server.ts';
import { createIdentity } from '../identity/identity.ts';
import { createEntryTokens } from '../line/tokens/entry-tokens.ts';
import { type Clock, stopwatch, systemClock } from '../platform/clock.ts';
import { type Callers, createCallers } from '../platform/http-server/callers.ts';
import { createLog } from '../platform/log.ts';
import { SettingsError } from '../platform/settings/settings.ts';
import { createKeyRing, type KeyRing } from '../signing-keys/key-ring.ts';
import { createDevices } from '../tier1/tokens/devices.ts';
import { createVwrTokens } from '../tier1/tokens/vwr-tokens.ts';
import { createGateSessions } from './gate-sessions.ts';
import { openGateAccess } from './open-gate-access.ts';
import { openTracing } from './open-tracing.ts';
import { toRing } from './secrets.ts';

export interface RunningGate {
  url: string;
  stop(): Promise<void>;
}

export async function startGate(config: Config, version: string, clock = systemClock): Promise<RunningGate> {
  const { gate } = config;
  const loaded = await loadRules(gate.rulesFile, findVariable);
  requireSettings(config, loaded);
  const book = gate.lineUrl === undefined ? loaded : { ...loaded, rules: [...lineRules, ...loaded.rules] };
  const log = createLog(config.logLevel);
  const tracing = await openTracing(config.tracing, version);
  const keys = createGateKeys(config, clock);
  const activeEvents = createActiveEvents(gate);
  const registry = new Registry();
  const sessions = createGateSessions({ config, registry, clock, log });
  const metrics = createGateMetrics(registry);
  const access = await openGateAccess({ config, metrics, log });
  const guard = createGuard({
    book,
    keys,
    activeEvents,
    askLine: gate.lineUrl === undefined ? undefined : askInstance(gate.lineUrl),
    sessions,
    metrics,
    access: access.of(book.access),
    now: () => clock.now(),
  });
  const callers = createCallers(config.trustProxy);
  const isTrusted = createTrust(config.trustProxy);
  const { site, line } = createDestinations(gate, registry);
  const server = createProxy({
    guard,
    keys,
    route: ({ target }) => (line !== undefined && isForLine(target) ? line : site),
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
  const status = await startStatus(registry, config);
  const sockets = trackSockets(server);
  const url = await listen(server, config);

  async function stop(): Promise<void> {
    await close(server, sockets, config.stopTimeoutMs);
    await sessions?.close();
    await access.close();
    status?.close();
    site.close();
    line?.close();
    await tracing?.close();
  }
  return { url, stop };
}

function createDestinations(
  { upstream, lineUrl, streams }: GateConfig,
  registry: Registry,
): { site: Destination; line: Destination | undefined } {
  const capacity = { request: REQUESTS_AT_MOST, upload: UPLOADS_AT_MOST, stream: streams };
  const site = createDestination(upstream!, capacity);
  const line = lineUrl === undefined ? undefined : createDestination(lineUrl, capacity);
  measureDestinations(registry, { site, ...(line && { line }) });
  return { site, line };
}

async function startStatus(registry: Registry, { host, gate }: Config): Promise<Server | undefined> {
  if (gate.statusPort === 0) return undefined;
  collectDefaultMetrics({ register: registry });
  const server = createStatusServer(registry);
  await listen(server, { host, port: gate.statusPort });
  return server;
}

/** Reports all missing settings at once. */
function requireSettings({ gate, secrets, accounts }: Config, { rules }: RuleBook): void {
  const requires = (kind: 'vwr' | 'entry') => rules.some(({ require }) => require === kind || require === 'both');
  const problems = [
    ...(gate.upstream === undefined
      ? ['GATE_UPSTREAM (--upstream) is not set: expected the URL of the site behind the gate']
      : []),
    ...(requires('entry')
      ? missing({ QUEUE_ENTRY_TOKEN_SECRET: secrets.entryToken, AUTH_JWT_SECRET: secrets.auth })
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
        `${name} is not set: the gate needs the same value as the line, to verify its tokens; set it, or read the line’s file with --secret-file DATA_DIR/secrets.json`,
    );
}

/** A secret that no rule needs may be missing; then no token of that kind is accepted. */
function createGateKeys({ secrets, accounts, gate }: Config, clock: Clock): VerificationKeys {
  const entrySecrets = ring(secrets.entryToken, secrets.entryTokenPrevious);
  const vwrSecrets = ring(secrets.vwrToken, secrets.vwrTokenPrevious);
  const devices = createDevices(createKeyRing('deviceCookie', vwrSecrets), clock);
  return createVerificationKeys({
    entryTokens: createEntryTokens(createKeyRing('entryToken', entrySecrets), clock),
    staffPasses: createStaffPasses(createKeyRing('staffPass', entrySecrets), clock),
    vwrTokens: createVwrTokens(createKeyRing('vwrToken', vwrSecrets), clock),
    identity: createIdentity({
      authSecrets: createKeyRing('userSession', ring(secrets.auth, secrets.authPrevious)),
      guestKeys: createKeyRing('guestCookie', ring(secrets.guest, secrets.guestPrevious)),
      sessionCookie: accounts.sessionCookie,
      guestsWelcome: accounts.guests && secrets.guest !== undefined,
      clock,
    }),
    device: ({ cookie }) => devices.find(String(cookie)),
    cdnSecret: gate.cdnSecret,
  });
}

/** A random secret instead of a missing one: nothing can be signed with it. */
function ring(current: string | undefined, previous: string | undefined): KeyRing {
  return toRing(current ?? crypto.randomUUID() + crypto.randomUUID(), previous);
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

function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      const address = server.address();
      const at = typeof address === 'object' ? address?.port : port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${at}`);
    });
  });
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
