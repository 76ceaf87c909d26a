/** Typed twin of remove-entry.lua. */
import { loadScript, type RedisClient, runScript } from '../../../../platform/redis/scripts.ts';
import { ACCESS_ENTRIES_KEY, ACCESS_VERSION_KEY } from './keys.ts';

const script = loadScript(new URL('remove-entry.lua', import.meta.url));

/** Whether there was such an entry. */
export async function removeEntry(client: RedisClient, version: string, field: string): Promise<boolean> {
  const reply = await runScript(client, script, [ACCESS_ENTRIES_KEY, ACCESS_VERSION_KEY], [version, field]);
  return reply === 1;
}
