/** Typed twin of lock-seats.lua. */
import { loadScript, type RedisClient, runScript } from '../../../platform/redis/scripts.ts';

const script = loadScript(new URL('lock-seats.lua', import.meta.url));

export interface LockSeatsArguments {
  keys: string[];
  holder: string;
  leaseMs: number;
}

/** True if all seats are locked now. */
export async function lockSeats(client: RedisClient, { keys, holder, leaseMs }: LockSeatsArguments): Promise<boolean> {
  return (await runScript(client, script, keys, [holder, leaseMs])) === 1;
}
