/** Typed twin of note-request.lua. */
import { loadScript, type RedisClient, runScript } from '../../../../platform/redis/scripts.ts';

const script = loadScript(new URL('note-request.lua', import.meta.url));

export interface NoteRequestArguments {
  key: string;
  fingerprint: string;
  /** The time to go by; the server's clock if absent. */
  now: number | undefined;
}

/** The fingerprint that the key belongs to: this one, or that of an earlier request. */
export async function noteRequest(client: RedisClient, { key, fingerprint, now }: NoteRequestArguments) {
  return (await runScript(client, script, [key], [fingerprint, now ?? ''])) as string;
}
