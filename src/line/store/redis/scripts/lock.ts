/** Typed twin of lock.lua. */
import { loadScript, type RedisClient, runScript } from '../../../../platform/redis/scripts.ts';

const script = loadScript(new URL('lock.lua', import.meta.url));

export interface LockArguments {
  key: string;
  holder: string;
  leaseMs: number;
}

/** The time of the server in ms if the holder has the lock now, else undefined. */
export async function lock(client: RedisClient, { key, holder, leaseMs }: LockArguments): Promise<number | undefined> {
  const lockedAt = Number(await runScript(client, script, [key], [holder, leaseMs]));
  return lockedAt === 0 ? undefined : lockedAt;
}
