/**
 * How a gate in its own process follows the live access list: one conditional call per second, which also carries the
 * bypasses since the last one. While the line is away the last list stays.
 */
import type { AccessList } from './access-list.ts';
import type { BypassCounts } from './bypass-counts.ts';
import { readLiveEntry } from './live-entries.ts';

export const ACCESS_PATH = '/gate/access';

export interface LineSyncOptions {
  /** Calls the line with the service key; throws if it does not answer. */
  line: (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>;
  list: AccessList;
  counts: BypassCounts;
}

/** One pass. */
export async function syncWithLine({ line, list, counts }: LineSyncOptions): Promise<'done'> {
  const known = list.version === undefined ? '' : `?version=${encodeURIComponent(list.version)}`;
  const answer = await line('GET', `${ACCESS_PATH}${known}`);
  if (answer !== undefined) list.replace(readListing(answer));
  const bypasses = counts.take();
  if (bypasses.length === 0) return 'done';
  try {
    await line('POST', ACCESS_PATH, { bypasses });
  } catch (error) {
    for (const note of bypasses) counts.add(note);
    throw error;
  }
  return 'done';
}

function readListing(answer: unknown) {
  const { version, entries } = answer as { version?: unknown; entries?: unknown };
  if (typeof version !== 'string' || !Array.isArray(entries)) throw new Error(`${ACCESS_PATH} returned no list`);
  return { version, entries: entries.flatMap((json) => readLiveEntry(json) ?? []) };
}
