/** Typed twin of note-visitors.lua. */
import { loadScript, type RedisClient, runScript } from '../../../platform/redis/scripts.ts';
import { whereKey } from './keys.ts';

const script = loadScript(new URL('note-visitors.lua', import.meta.url));

export interface NoteArguments {
  eventId: string;
  instanceId: string;
  visitors: readonly string[];
}

export async function noteVisitors(client: RedisClient, { eventId, instanceId, visitors }: NoteArguments) {
  await runScript(client, script, [whereKey(eventId)], [instanceId, ...visitors]);
}
