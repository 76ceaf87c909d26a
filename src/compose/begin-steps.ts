/** The steps with which a process begins on its stores, besides the checks of the connections to them. */
import type { Config } from '../config/config.ts';
import { isHopeless as isHopelessDatabase } from '../platform/database/database-errors.ts';
import { UNUSABLE_LOG, UnusableRecordLogError } from '../records/record-log.ts';
import { topics } from '../records/topics.ts';
import type { Context } from './context.ts';
import { createDemoEvent } from './demo-event.ts';
import { createDemoRoom } from './demo-room.ts';
import type { Selling } from './open-shop.ts';
import { storesOf } from './role-stores.ts';

/** The group of the demo room and event. No role needs them. */
export const DEMO = 'demo';

export function addStoreSteps(context: Context): void {
  const { config, beginning, shop, line } = context;
  if (shop !== undefined) addDatabaseSteps(context, shop);
  if (shop !== undefined && config.records.kafka !== undefined) addRecordStep(context, shop);
  if (!config.line.demoRoom) return;
  beginning.add({ name: 'the demo room', store: DEMO, after: ['line'], run: () => createDemoRoom(line.rooms) });
}

/** After the program listens: the embedded database opens with it, which takes seconds. */
export function addDemoEventStep({ config, beginning, shop }: Context): void {
  if (!config.line.demoRoom || shop === undefined || !config.roles.includes('shop')) return;
  const run = () => createDemoEvent(shop.events);
  beginning.add({ name: 'the demo event', store: DEMO, after: ['database'], run });
}

/** Also in a process that does not need the database: its counts of joins and admissions wait for it. */
function addDatabaseSteps({ config, beginning, accounts }: Context, { database }: Selling): void {
  if (!('url' in config.shop!.database)) return;
  beginning.add({ name: 'PostgreSQL', store: 'database', run: () => database.get(), isHopeless: isHopelessDatabase });
  if (accounts === undefined || !authenticatesVisitors(config)) return;
  const run = () => accounts.sessions.runOnce();
  beginning.add({ name: 'the ended sessions of users', store: 'database', after: ['database'], run });
}

export function authenticatesVisitors({ roles }: Pick<Config, 'roles'>): boolean {
  return roles.includes('line') || roles.includes('shop');
}

function addRecordStep({ config, beginning }: Context, { records }: Selling): void {
  if (!storesOf(config.roles).uses.includes('records')) return;
  const run = async () => {
    const fault = await records.log.findFault();
    if (fault?.startsWith(UNUSABLE_LOG)) throw new UnusableRecordLogError(fault);
    if (fault !== undefined) throw new Error(fault);
    await records.log.prepare(topics);
  };
  const isHopeless = (error: unknown) => error instanceof UnusableRecordLogError;
  beginning.add({ name: 'Kafka', store: 'records', run, isHopeless });
}
