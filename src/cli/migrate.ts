/** `fairline migrate`. */
import { migrate as createTables } from '../compose/create-tables.ts';
import { readConfig } from '../config/read-config.ts';
import { readOptions } from '../platform/settings/options.ts';
import type { Command } from './command.ts';

export const migrate: Command = {
  summary: 'create the DynamoDB tables',
  usage: ['migrate'],
  about: `Creates the DynamoDB tables of tier 1 if VWR_STORE=dynamodb and they are missing. It is safe to repeat. Redis
and PostgreSQL need no migrate: fairline start prepares them.`,
  async run(args, { print }) {
    readOptions({}, args);
    print(await createTables(readConfig()));
    return 0;
  },
};
