/** `fairline records`. */
import { readConfig } from '../config/read-config.ts';
import type { Command } from './command.ts';
import { requireWord } from './words.ts';

export const records: Command = {
  summary: 'put records that failed back to be handled',
  usage: ['records replay'],
  about: `Puts back what was put aside in the dlq of each topic since the last time, once the reason is mended
(docs/reference/records.md). Groups that had their effect of a record know it; running this again does no harm.`,
  async run(args, { print }) {
    requireWord('replay', args);
    const { replayRecords } = await import('./record-commands.ts');
    print(await replayRecords(readConfig()));
    return 0;
  },
};
