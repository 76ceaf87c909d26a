/** The audit trail of operator actions, in a file of this process. */
import { appendFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { type AuditEntry, type AuditQuery, latestEntries, type WrittenEntry } from './audit-entries.ts';

export type { AuditEntry } from './audit-entries.ts';

export interface AuditTrail {
  /** Resolves when the line is in the file. */
  write(entry: AuditEntry): Promise<void>;
  /** Newest first. Reads only the end of the file, so older entries may be missing. */
  readLatest(query: AuditQuery): Promise<WrittenEntry[]>;
}

export interface AuditTrailOptions {
  dataDir: string;
  clock: Clock;
  log: Logger;
}

/** Keeps reads fast for a trail of any length. */
const MOST_READ_BYTES = 512 * 1024;

export function createAuditTrail({ dataDir, clock, log }: AuditTrailOptions): AuditTrail {
  const path = join(dataDir, 'audit.jsonl');
  return {
    async write(entry) {
      const line = { at: new Date(clock.now()).toISOString(), ...entry };
      log.info({ audit: line }, `operator: ${entry.action} ${entry.eventId ?? ''}`.trimEnd());
      await appendFile(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
    readLatest: async (query) => latestEntries(await readEnd(path), query),
  };
}

async function readEnd(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  // No entry has been written yet.
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, MOST_READ_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
