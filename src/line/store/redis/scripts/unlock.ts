/** Typed twin of unlock.lua. */
import { loadScript, type RedisClient, runScript } from '../../../../platform/redis/scripts.ts';

const script = loadScript(new URL('unlock.lua', import.meta.url));

export interface UnlockArguments {
  key: string;
  holder: string;
}

/** True if the holder still had the lock. */
export async function unlock(client: RedisClient, { key, holder }: UnlockArguments): Promise<boolean> {
  return (await runScript(client, script, [key], [holder])) === 1;
}
