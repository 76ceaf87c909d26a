/** Starts the roles of this process and stops them again, in order. */
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { createLog } from '../platform/log.ts';
import { buildApp } from './app.ts';
import { type Context, createContext } from './context.ts';
import { createDemoEvent } from './demo-event.ts';
import { createDemoRoom } from './demo-room.ts';
import { startMetricsServer } from './metrics-server.ts';
import { startRoles } from './roles.ts';

export interface Running {
  url: string;
  adminToken: string;
  stop(): Promise<void>;
}

export async function start(config: Config, version: string): Promise<Running> {
  const log = createLog(config.logLevel);
  const stopping = new AbortController();
  const context = await createContext({ config, version, log, stopping: stopping.signal });
  if (config.line.demoRoom) await createDemoRoom(context.line.rooms);
  // An unreachable PostgreSQL server must fail the start. The embedded one opens with the first request: it is slow.
  const isServer = config.shop !== undefined && 'url' in config.shop.database;
  if (isServer) await context.shop?.database.get();
  await loadEndedSessions(context);
  const app = await buildApp(context);
  const metricsServer = await startMetricsServer(context);
  const url = await app.listen({ host: config.host, port: config.port });
  const stopRoles = await startRoles(context);
  const prepared = prepareShop(context);

  /**
   * 1. `stopping` makes /ready fail and ends the open streams, which would otherwise keep the server open.
   * 2. The server: requests in progress still need the roles and the stores.
   * 3. The roles: their last pass still needs the stores.
   * 4. The stores.
   * 5. The port of the metrics, so that the last figures can be read.
   */
  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.race([app.close(), delay(config.stopTimeoutMs, undefined, { ref: false })]);
    await prepared;
    await stopRoles();
    await context.close();
    metricsServer?.close();
    metricsServer?.closeAllConnections();
  }
  return { url, adminToken: context.adminToken, stop };
}

/**
 * Before the first request: otherwise a token that was signed out works again for a moment after every restart. An embedded
 * database that was never created has no sessions, and is not created here, because that takes seconds.
 */
async function loadEndedSessions({ config, accounts }: Context): Promise<void> {
  if (accounts === undefined || config.shop === undefined) return;
  const { database } = config.shop;
  if (!servesVisitors(config) || ('dir' in database && !existsSync(database.dir))) return;
  await accounts.sessions.runOnce();
}

function servesVisitors({ roles }: Config): boolean {
  return roles.includes('line') || roles.includes('shop');
}

/** Puts the demo event on sale. A failure is not fatal: the line works without it. */
async function prepareShop({ config, shop, log }: Context): Promise<void> {
  if (!config.line.demoRoom || shop === undefined || !config.roles.includes('shop')) return;
  try {
    await createDemoEvent(shop.events);
  } catch (error) {
    log.warn({ err: error }, 'demo event not created');
  }
}
