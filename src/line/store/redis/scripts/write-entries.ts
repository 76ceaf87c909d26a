/** Typed twin of write-entries.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import { entriesKey } from './keys.ts';
import type { ScriptCaller } from './script-caller.ts';

export interface EntriesChunk {
  /** How many lots come before these. */
  from: number;
  lots: Buffer;
}

const script = loadScript(new URL('write-entries.lua', import.meta.url));

export async function writeEntries(caller: ScriptCaller, eventId: string, seed: string, chunk: EntriesChunk) {
  const args = [seed, chunk.from, chunk.lots];
  await caller.call({ script, eventId, args, moreKeys: [entriesKey(eventId)] });
}
