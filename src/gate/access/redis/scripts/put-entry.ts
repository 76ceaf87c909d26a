/** Typed twin of put-entry.lua. */
import { loadScript, type RedisClient, runScript } from '../../../../platform/redis/scripts.ts';
import { ACCESS_ENTRIES_KEY, ACCESS_VERSION_KEY } from './keys.ts';

const script = loadScript(new URL('put-entry.lua', import.meta.url));

export interface PutEntryArguments {
  version: string;
  field: string;
  json: string;
  /** The prefix of all fields of its room and group. */
  prefix: string;
  mostPerGroup: number;
  most: number;
  onlyNew: boolean;
  expired: readonly string[];
}

export async function putEntry(client: RedisClient, options: PutEntryArguments): Promise<'stored' | 'exists' | 'full'> {
  const { version, field, json, prefix, mostPerGroup, most, onlyNew, expired } = options;
  const args = [version, field, json, prefix, mostPerGroup, most, onlyNew ? '1' : '', ...expired];
  const reply = await runScript(client, script, [ACCESS_ENTRIES_KEY, ACCESS_VERSION_KEY], args);
  return reply as 'stored' | 'exists' | 'full';
}
