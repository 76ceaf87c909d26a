/** Typed twin of lock.lua. */
import { loadScript, type RedisClient, runScript } from '../../../../platform/redis/scripts.ts';

const script = loadScript(new URL('lock.lua', import.meta.url));

export interface LockArguments {
  key: string;
  holder: string;
  leaseMs: number;
}

/** True if the holder has the lock now. */
export async function lock(client: RedisClient, { key, holder, leaseMs }: LockArguments): Promise<boolean> {
  return (await runScript(client, script, [key], [holder, leaseMs])) === 1;
}
