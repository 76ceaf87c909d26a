/** The whole program on a free port, with the room `concert`. */
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { buildApp } from '../../src/compose/app.ts';
import { type Context, createContext } from '../../src/compose/context.ts';
import { startRoles } from '../../src/compose/roles.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import { tempFolder } from './temp-folder.ts';

export interface RunningApp {
  url: string;
  context: Context;
  /** Stops in the same order as the program. */
  stop(): Promise<void>;
}

export interface RunningAppOptions {
  env?: Record<string, string>;
  room?: RoomChange;
  dataDir?: string;
  /** By default a free one. */
  port?: number;
  /** Changes the context before the roles start, for example to inject faults. */
  alter?: (context: Context) => Context;
}

/** Stopped after the test. */
export async function runApp(options: RunningAppOptions = {}): Promise<RunningApp> {
  const app = await startApp({ ...options, dataDir: options.dataDir ?? tempFolder() });
  onTestFinished(app.stop);
  return app;
}

/** For several tests: the caller stops it. */
export async function startApp(options: RunningAppOptions & { dataDir: string }): Promise<RunningApp> {
  const { env = {}, room = {}, dataDir, port = 0, alter = (context) => context } = options;
  const config = readConfig({
    DATA_DIR: dataDir,
    JOURNAL_SYNC: 'off',
    DEMO: 'off',
    SHOP: 'off',
    QUEUE_ADMISSION_INTERVAL_MS: '40',
    QUEUE_STALE_CLEANUP_INTERVAL_MS: '40',
    LIMIT_JOIN_PER_VISITOR: '0',
    LIMIT_GUEST_JOIN_PER_IP: '0',
    ...env,
  });
  const stopping = new AbortController();
  const log = pino({ level: 'silent' });
  const context = await createContext({ config, version: '0.0.0', log, stopping: stopping.signal });
  await context.line.rooms.putRoom('concert', room);
  const app = await buildApp(context);
  const url = await app.listen({ host: '127.0.0.1', port });
  const stopRoles = await startRoles(alter(context));
  let stopped: Promise<void> | undefined;

  async function stopAll(): Promise<void> {
    stopping.abort();
    await app.close();
    await stopRoles();
    await context.close();
  }
  const stop = () => {
    stopped ??= stopAll();
    return stopped;
  };
  return { url, context, stop };
}
