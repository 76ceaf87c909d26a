/** `fairline records`. */
import { replayDead } from '../records/replay.ts';
import { topics } from '../records/topics.ts';
import { type Command, requireSubcommand } from './command.ts';

export const records: Command = {
  summary: 'replay records from the dead-letter queues',
  usage: ['records replay'],
  about: `Sends the records of every dead-letter queue (dlq) back to their topics, except those already replayed. Run it
after fixing what made them fail (docs/reference/records.md). It is safe to repeat: a consumer group skips
records that it has handled.`,
  async run(args, { print }) {
    requireSubcommand('replay', args);
    // Loads the whole program, so not at the top: `fairline help` must stay fast.
    const { withRecords } = await import('./with-records.ts');
    const count = await withRecords(({ log }) => replayDead(log, topics));
    print(count === 0 ? 'No new records in the dead-letter queues.' : `Replayed ${count} records.`);
    return 0;
  },
};
