/** Typed twin of unlock-seats.lua. */
import { loadScript, type RedisClient, runScript } from '../../../platform/redis/scripts.ts';

const script = loadScript(new URL('unlock-seats.lua', import.meta.url));

export async function unlockSeats(client: RedisClient, { keys, holder }: { keys: string[]; holder: string }) {
  await runScript(client, script, keys, [holder]);
}
