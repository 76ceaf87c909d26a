/** `fairline records replay` and `fairline stats rebuild`: what operators do with the log by hand. */
import { pino } from 'pino';
import { createContext } from '../compose/context.ts';
import type { Records } from '../compose/open-records.ts';
import type { Config } from '../config/config.ts';
import { SettingsError } from '../platform/settings/settings.ts';
import { replayDead } from '../records/replay.ts';
import { topics } from '../records/topics.ts';

/** What was done, in words. */
export function replayRecords(config: Config): Promise<string> {
  return withRecords(config, async ({ log }) => {
    const count = await replayDead(log, topics);
    return count === 0 ? 'Nothing to do: no record was put aside since the last time.' : `Put back ${count} records.`;
  });
}

export function rebuildStatistics(config: Config): Promise<string> {
  return withRecords(config, async (records) => {
    const count = await records.rebuildStats();
    return `Made the statistics anew from ${count} messages of the log.`;
  });
}

async function withRecords(config: Config, work: (records: Records) => Promise<string>): Promise<string> {
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const context = await createContext({ config, version: '', log, stopping: new AbortController().signal });
  try {
    if (context.shop === undefined) throw new SettingsError('SHOP: there are no records where nothing is sold');
    return await work(context.shop.records);
  } finally {
    await context.close();
  }
}
