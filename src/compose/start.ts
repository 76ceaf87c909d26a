/** Runs the roles of this process until it is told to stop. */
import { pino } from 'pino';
import type { Config } from '../config/read-config.ts';
import { buildApp } from './app.ts';
import { type Context, createContext } from './context.ts';
import { createDemoEvent } from './demo-event.ts';
import { createDemoRoom } from './demo-room.ts';
import { startRoles } from './roles.ts';

export interface Running {
  url: string;
  adminToken: string;
  stop(): Promise<void>;
}

export async function start(config: Config, version: string): Promise<Running> {
  const log = pino({ level: config.logLevel });
  const stopping = new AbortController();
  const context = await createContext({ config, version, log, stopping: stopping.signal });
  if (config.line.demoRoom) await createDemoRoom(context.line.rooms);
  // A server that cannot be used is told at once; the embedded one is opened behind the first requests, since it takes long.
  const isServer = config.shop !== undefined && 'url' in config.shop.database;
  if (isServer) await context.shop?.database.get();
  const app = await buildApp(context);
  const url = await app.listen({ host: config.host, port: config.port });
  const stopRoles = await startRoles(context);
  const prepared = prepareShop(context);

  /**
   * Requests first, since they still need the store, with a goodbye to the streams, which would never end by
   * themselves; then the roles; the store last, when nobody can use it.
   */
  async function stop(): Promise<void> {
    stopping.abort();
    await within(config.stopTimeoutMs, app.close());
    await prepared;
    await stopRoles();
    await context.close();
  }
  return { url, adminToken: context.adminToken, stop };
}

/** Makes sure that there is something to buy where there is something to try. */
async function prepareShop({ config, shop, log }: Context): Promise<void> {
  if (!config.line.demoRoom || shop === undefined || !config.roles.includes('shop')) return;
  try {
    await createDemoEvent(shop.events);
  } catch (error) {
    log.warn({ err: error }, 'the demo event could not be created');
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
