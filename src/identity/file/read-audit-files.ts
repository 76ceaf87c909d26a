/** Reads audit files, without locking them. */
import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ChainCheck, type ChainHead, type ChainReport, toLinkOf } from '../audit-chain.ts';
import { type AuditQuery, type ChainedEntry, latestEntries, readEntry } from '../audit-entries.ts';

export const AUDIT_FILE = 'audit.jsonl';
/** The files that processes write to; not those that were put aside. */
const LIVE_FILE = /^audit(-\d+)?\.jsonl$/;

/** Keeps reads fast for a trail of any length. */
const MOST_READ_BYTES = 512 * 1024;

/** In the order in which processes take them. */
export async function listAuditFiles(dataDir: string): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => LIVE_FILE.test(name));
  return names.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).map((name) => join(dataDir, name));
}

/** Newest first. Reads only the end of each file, so older entries may be missing. */
export async function readLatest(dataDir: string, query: AuditQuery): Promise<ChainedEntry[]> {
  const files = await listAuditFiles(dataDir);
  const found = await Promise.all(
    files.map(async (path) => latestEntries((await readEnd(path, MOST_READ_BYTES)).toString('utf8'), query)),
  );
  if (found.length <= 1) return found[0] ?? [];
  const entries = found.flat().sort((a, b) => (a.at < b.at ? 1 : -1));
  return entries.slice(0, query.limit);
}

export async function checkFile(path: string, anchor?: ChainHead): Promise<ChainReport> {
  const check = new ChainCheck(anchor);
  for await (const line of readLines(path)) {
    const entry = readEntry(line);
    const link = entry && toLinkOf(entry);
    const goesOn = link === undefined ? check.addUnreadable('the line is not a chained entry') : check.add(link);
    if (!goesOn) break;
  }
  return check.report();
}

/** The lines of a file; none if it does not exist. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return;
  await file.close();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') yield line;
  }
}

/** Empty if the file does not exist. */
export async function readEnd(path: string, mostBytes: number): Promise<Buffer> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, mostBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
