/** `fairline migrate`. */

import { migrate as makeWhatStoresNeed } from '../compose/create-tables.ts';
import { readConfig } from '../config/read-config.ts';
import { readOptions } from '../platform/settings/options.ts';
import type { Command } from './command.ts';

export const migrate: Command = {
  summary: 'make what the configured stores need and cannot make for themselves',
  usage: ['migrate'],
  about: 'Makes the tables of tier 1 in DynamoDB, where that is configured. Running it again does no harm.',
  async run(args, { print }) {
    readOptions({}, args);
    print(await makeWhatStoresNeed(readConfig()));
    return 0;
  },
};
