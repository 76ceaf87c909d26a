/** The whole program on embedded stores, with a line to wait in and an event on sale. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../src/compose/app.ts';
import { type Context, createContext } from '../src/compose/context.ts';
import { startRoles } from '../src/compose/roles.ts';
import { readConfig } from '../src/config/read-config.ts';

export interface Site {
  url: string;
  context: Context;
  /** The operator token. */
  adminToken: string;
  stop(): Promise<void>;
}

const ADMIN_TOKEN = 'operator-of-the-benchmark';
const SECTIONS = Array.from({ length: 20 }, (_, index) => ({
  id: `S${index + 1}`,
  name: `Section ${index + 1}`,
  rows: 25,
  seatsPerRow: 40,
  price: 50_000 + (index % 5) * 20_000,
}));

export async function startSite(): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairline-bench-'));
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: 'off',
    ADMIN_TOKEN,
    LIMIT_GUEST_JOIN_PER_IP: '0',
    LIMIT_HOLD_PER_VISITOR: '0',
    LIMIT_VWR_ASSIGN_PER_IP: '0',
    LIMIT_OPERATOR_SIGN_IN_PER_IP: '0',
    VWR_BATCH_SIZE: '1',
    VWR_CYCLE_MS: '3600000',
  });
  const stopping = new AbortController();
  const log = pino({ level: 'silent' });
  const context = await createContext({ config, version: 'bench', log, stopping: stopping.signal });
  const { line, tier1, shop } = context;
  await line.rooms.putRoom('waiting', { maxActive: 1 });
  for (let i = 0; i < 20; i += 1) await line.visits.join('waiting', `user-${i}`);
  await line.rooms.putRoom('before', {});
  await tier1.switching.activate('before');
  await line.rooms.putRoom('show', {});
  await shop!.events.putLayout('show', { name: 'Hall', sections: SECTIONS, standing: [] });
  await shop!.events.putEvent('show', { title: 'Show', startsAt: '2100-01-01T10:00:00Z', maxPerPerson: 100 });
  await shop!.events.generateSeats('show', 'show');
  await shop!.events.openEvent('show');
  const app = await buildApp(context);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const stopRoles = await startRoles(context);
  return {
    url,
    context,
    adminToken: ADMIN_TOKEN,
    async stop() {
      stopping.abort();
      await app.close();
      await stopRoles();
      await context.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
