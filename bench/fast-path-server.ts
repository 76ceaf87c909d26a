/** The product in a process of its own, in which the parts of the fast path can be switched off by message. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../src/compose/app.ts';
import { createContext } from '../src/compose/context.ts';
import { startRoles } from '../src/compose/roles.ts';
import { readConfig } from '../src/config/read-config.ts';
import { warmUpNextTick } from '../src/platform/fast-http/next-tick-warm-up.ts';
import { benchSecrets } from './processes.ts';

/** `cpu` reports microseconds of CPU so far, `gc` collects garbage; any other word is what to switch off. */
export type Order = 'cpu' | 'gc' | 'nothing' | 'raw response' | 'fast path';

if (!process.argv.includes('nextTick warm-up')) warmUpNextTick();
const dir = mkdtempSync(join(tmpdir(), 'fairline-bench-'));
const config = readConfig({
  ...benchSecrets,
  DATA_DIR: dir,
  SHOP: 'off',
  DEMO: 'off',
  LIMIT_JOIN_PER_VISITOR: '0',
  JOURNAL_SYNC: 'off',
});
const log = pino({ level: 'warn' });
const context = await createContext({ config, version: '', log, stopping: new AbortController().signal });
await context.line.rooms.putRoom('concert', { maxActive: 0 });
const app = await buildApp(context);
await app.listen({ host: '127.0.0.1', port: 0 });
await startRoles(context);

const fastPath = app.fastPath!;
const on = { take: fastPath.take, sendRaw: fastPath.services.sendRaw };

process.on('message', (order: Order) => process.send!(obey(order)));
process.on('disconnect', () => {
  rmSync(dir, { recursive: true, force: true });
  process.exit();
});
process.send!((app.server.address() as AddressInfo).port);

function obey(order: Order): number {
  if (order === 'cpu') {
    const { user, system } = process.cpuUsage();
    return user + system;
  }
  if (order === 'gc') {
    (globalThis as { gc?: () => void }).gc?.();
  } else {
    fastPath.take = order === 'fast path' ? () => false : on.take;
    fastPath.services.sendRaw = order === 'raw response' ? () => false : on.sendRaw;
  }
  return 0;
}
