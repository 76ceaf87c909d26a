/** `fairline stats`. */
import { readConfig } from '../config/read-config.ts';
import type { Command } from './command.ts';
import { requireWord } from './words.ts';

export const stats: Command = {
  summary: 'make the statistics anew from the records',
  usage: ['stats rebuild'],
  about: `Reads all records from the start and counts them as if for the first time (docs/reference/records.md). The numbers
come out the same; others may go on counting meanwhile.`,
  async run(args, { print }) {
    requireWord('rebuild', args);
    const { rebuildStatistics } = await import('./record-commands.ts');
    print(await rebuildStatistics(readConfig()));
    return 0;
  },
};
