/** Starts the roles of this process and stops them again, in order. */
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { createLog } from '../platform/log.ts';
import { buildApp } from './app.ts';
import { addDemoEventStep, addStoreSteps, authenticatesVisitors, DEMO } from './begin-steps.ts';
import { type Context, createContext, FIRST_TRIES_MS } from './context.ts';
import { startMetricsServer } from './metrics-server.ts';
import { storesOf } from './role-stores.ts';
import { startRoles } from './roles.ts';

export interface Running {
  url: string;
  adminToken: string;
  /** Why stores that this process uses were not there at the start. It begins on each when it comes. */
  waitingFor: readonly string[];
  stop(): Promise<void>;
}

export async function start(config: Config, version: string): Promise<Running> {
  const log = createLog(config.logLevel);
  const stopping = new AbortController();
  const context = await createContext({ config, version, log, stopping: stopping.signal });
  try {
    return await startIn(context, stopping);
  } catch (error) {
    stopping.abort();
    await context.close();
    throw error;
  }
}

async function startIn(context: Context, stopping: AbortController): Promise<Running> {
  const { config, beginning } = context;
  addStoreSteps(context);
  await beginning.firstTries([...storesOf(config.roles).uses, DEMO], FIRST_TRIES_MS);
  await loadEndedSessions(context);
  const app = await buildApp(context);
  const metricsServer = await startMetricsServer(context);
  const url = await app.listen({ host: config.host, port: config.port });
  const stopRoles = startRoles(context);
  addDemoEventStep(context);
  const waitingFor = Object.values(await context.findFaults());

  /**
   * 1. `stopping` makes /ready fail and ends the open streams, which would otherwise keep the server open.
   * 2. The server: requests in progress still need the roles and the stores.
   * 3. What has not begun: it uses the stores.
   * 4. The roles: their last pass still needs the stores.
   * 5. The stores.
   * 6. The port of the metrics, so that the last figures can be read.
   */
  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.race([app.close(), delay(config.stopTimeoutMs, undefined, { ref: false })]);
    await beginning.stop();
    await stopRoles();
    await context.close();
    metricsServer?.close();
    metricsServer?.closeAllConnections();
  }
  return { url, adminToken: context.adminToken, waitingFor, stop };
}

/**
 * Before the first request: otherwise a token that was signed out works again for a moment after every restart. An embedded
 * database that was never created has no sessions, and is not created here, because that takes seconds. For a server, this is
 * a step of the beginning.
 */
async function loadEndedSessions({ config, accounts }: Context): Promise<void> {
  if (accounts === undefined || config.shop === undefined || !authenticatesVisitors(config)) return;
  const { database } = config.shop;
  if ('dir' in database && existsSync(database.dir)) await accounts.sessions.runOnce();
}
