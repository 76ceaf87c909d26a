/** Typed twin of note-request.lua. */
import { loadScript, type RedisClient, runScript } from '../../../../platform/redis/scripts.ts';

const script = loadScript(new URL('note-request.lua', import.meta.url));

export interface NoteRequestArguments {
  key: string;
  fingerprint: string;
  /** The clock of the Redis server if undefined. */
  now: number | undefined;
}

/** The fingerprint that owns the key: this one, or that of an earlier request. */
export async function noteRequest(client: RedisClient, { key, fingerprint, now }: NoteRequestArguments) {
  return (await runScript(client, script, [key], [fingerprint, now ?? ''])) as string;
}
