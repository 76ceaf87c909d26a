/** Typed twin of forget-visitors.lua. */
import { loadScript, type RedisClient, runScript } from '../../../platform/redis/scripts.ts';
import { toInstances } from './instance-list.ts';
import { whereKey } from './keys.ts';

const script = loadScript(new URL('forget-visitors.lua', import.meta.url));

export interface ForgetArguments {
  eventId: string;
  instanceId: string;
  visitors: readonly string[];
}

/** Returns for each visitor the other instances that they are connected to. */
export async function forgetVisitors(
  client: RedisClient,
  { eventId, instanceId, visitors }: ForgetArguments,
): Promise<string[][]> {
  const reply = await runScript(client, script, [whereKey(eventId)], [instanceId, ...visitors]);
  return (reply as string[]).map(toInstances);
}
