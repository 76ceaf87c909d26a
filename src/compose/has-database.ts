import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';

/** Whether the shop's database exists. The embedded one is created when it is first used, which takes seconds. */
export function hasDatabase({ shop }: Config): boolean {
  if (shop === undefined) return false;
  const { database } = shop;
  return !('dir' in database) || existsSync(database.dir);
}
