/** `fairline stats`. */
import { type Command, requireSubcommand } from './command.ts';

export const stats: Command = {
  summary: 'rebuild statistics from the records',
  usage: ['stats rebuild'],
  about: `Reads the record log from the beginning and counts every record again (docs/reference/records.md). It is
safe to repeat, and other processes may keep counting meanwhile.`,
  async run(args, { print }) {
    requireSubcommand('rebuild', args);
    // Loads the whole program, so not at the top: `fairline help` must stay fast.
    const { withRecords } = await import('./with-records.ts');
    const count = await withRecords((records) => records.rebuildStats());
    print(`Rebuilt statistics from ${count} records.`);
    return 0;
  },
};
