/** Opens the record log as `fairline start` would, for commands that work on it once. */
import { pino } from 'pino';
import { createContext } from '../compose/context.ts';
import type { Records } from '../compose/open-records.ts';
import { readConfig } from '../config/read-config.ts';
import { createLog } from '../platform/log.ts';
import { restrictNewFiles } from '../platform/private-folder.ts';
import { SettingsError } from '../platform/settings/settings.ts';

export async function withRecords<T>(work: (records: Records) => Promise<T>): Promise<T> {
  const config = readConfig();
  restrictNewFiles();
  const log = createLog(config.logLevel, pino.destination(2));
  const context = await createContext({ config, version: '', log, stopping: new AbortController().signal });
  try {
    if (context.shop === undefined) {
      throw new SettingsError('SHOP: this instance has no shop, so it has no records; set SHOP=on or DATABASE_URL');
    }
    return await work(context.shop.records);
  } finally {
    await context.close();
  }
}
