/** Typed twin of forget-visitors.lua. */
import { loadScript, type RedisClient, runScript } from '../../../platform/redis/scripts.ts';
import { whereKey } from '../keys.ts';

const script = loadScript(new URL('forget-visitors.lua', import.meta.url));

export interface ForgetArguments {
  eventId: string;
  instanceId: string;
  visitors: readonly string[];
}

/** How many of them were still said to be at the instance. */
export async function forgetVisitors(client: RedisClient, { eventId, instanceId, visitors }: ForgetArguments) {
  return Number(await runScript(client, script, [whereKey(eventId)], [instanceId, ...visitors]));
}
