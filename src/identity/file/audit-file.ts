/**
 * The audit trail in a file of DATA_DIR, chained. One process writes to a file: processes that share a folder get a file
 * each (`audit.jsonl`, `audit-2.jsonl`, …). A file of an older version, which has no hashes, becomes the beginning of the
 * chain.
 */
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { tryLock } from '../../platform/journal/folder-lock.ts';
import { type ChainHead, toLine, toLink, toLinkOf } from '../audit-chain.ts';
import { readEntry, type WrittenEntry } from '../audit-entries.ts';
import { AUDIT_FILE, listAuditFiles, readEnd, readLines } from './read-audit-files.ts';

export interface AuditFileOptions {
  dataDir: string;
  log: Logger;
}

interface OpenFile {
  path: string;
  handle: FileHandle;
  size: number;
  head: ChainHead | undefined;
  release: () => void;
}

const MOST_FILES = 100;

export class AuditFile {
  readonly #options: AuditFileOptions;
  #file: OpenFile | undefined;

  constructor(options: AuditFileOptions) {
    this.#options = options;
  }

  /** Calls must not overlap. Resolves when the entry is on disk. */
  async append(entry: WrittenEntry): Promise<void> {
    const file = await this.#open();
    try {
      const { size } = await file.handle.stat();
      // Another process may have written, if it could not see our lock: in another container, on a shared volume.
      if (size !== file.size) file.head = (await scan(file.path)).head;
      const link = toLink(file.head, entry);
      const line = `${toLine(link)}\n`;
      await file.handle.appendFile(line);
      await file.handle.datasync();
      file.head = link;
      file.size = size + Buffer.byteLength(line);
    } catch (error) {
      // A part of the line may have been written; opening removes it.
      await this.close();
      throw error;
    }
  }

  /** Creates no file. */
  async findHead(): Promise<ChainHead | undefined> {
    return (await this.findFilled()) === undefined ? undefined : this.#file?.head;
  }

  /** The path of the file if there are entries in it. Creates no file. */
  async findFilled(): Promise<string | undefined> {
    if (this.#file === undefined && (await listAuditFiles(this.#options.dataDir)).length === 0) return undefined;
    const { path, size } = await this.#open();
    return size === 0 ? undefined : path;
  }

  /** Keeps the file under another name and begins an empty one. */
  async putAside(name: string): Promise<void> {
    const { path } = await this.#open();
    await this.close();
    await rename(path, join(this.#options.dataDir, name));
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.handle.close().catch(() => {});
    file?.release();
  }

  async #open(): Promise<OpenFile> {
    if (this.#file !== undefined) return this.#file;
    const { path, release } = this.#lock();
    try {
      this.#file = { path, release, ...(await this.#load(path)) };
      return this.#file;
    } catch (error) {
      release();
      throw error;
    }
  }

  #lock(): Pick<OpenFile, 'path' | 'release'> {
    for (let n = 1; n <= MOST_FILES; n += 1) {
      const path = join(this.#options.dataDir, n === 1 ? AUDIT_FILE : `audit-${n}.jsonl`);
      const lock = tryLock(`${path}.lock`);
      if (lock.outcome === 'locked') return { path, release: lock.release };
    }
    throw new Error(`all ${MOST_FILES} audit files in ${this.#options.dataDir} are in use by other processes`);
  }

  async #load(path: string): Promise<Pick<OpenFile, 'handle' | 'size' | 'head'>> {
    const found = await scan(path);
    if (found.isUnchained) await this.#chain(path);
    // Appending, also where another process has written meanwhile.
    const handle = await open(path, 'a', 0o600);
    await handle.chmod(0o600);
    const { size } = await handle.stat();
    if (found.tornBytes === 0) return { handle, size, head: found.isUnchained ? (await scan(path)).head : found.head };
    // It was never acknowledged: its write was interrupted.
    this.#options.log.warn({ path }, 'the last line of the audit trail is incomplete; it is removed');
    await handle.truncate(size - found.tornBytes);
    return { handle, size: size - found.tornBytes, head: found.head };
  }

  /** Chains the entries of an older version; the file as it was stays beside. */
  async #chain(path: string): Promise<void> {
    const unfinished = `${path}.unfinished`;
    const handle = await open(unfinished, 'w', 0o600);
    let head: ChainHead | undefined;
    for await (const line of readLines(path)) {
      const entry = readEntry(line);
      if (entry === undefined) continue;
      const link = toLink(head, entry);
      await handle.appendFile(`${toLine(link)}\n`);
      head = link;
    }
    await handle.datasync();
    await handle.close();
    await rename(path, path.replace(/\.jsonl$/, '.unchained'));
    await rename(unfinished, path);
    this.#options.log.info({ entries: head?.seq ?? 0 }, 'the entries of the audit trail are now chained');
  }
}

interface Scan {
  head: ChainHead | undefined;
  /** The file has entries, and none of them has a hash. */
  isUnchained: boolean;
  /** Length of a last line without a line break. */
  tornBytes: number;
}

async function scan(path: string): Promise<Scan> {
  let head: ChainHead | undefined;
  let plain = 0;
  for await (const line of readLines(path)) {
    const entry = readEntry(line);
    const link = entry && toLinkOf(entry);
    if (link !== undefined) head = { seq: link.seq, hash: link.hash };
    else if (entry !== undefined) plain += 1;
  }
  return { head, isUnchained: head === undefined && plain > 0, tornBytes: await countTornBytes(path) };
}

/** A line is short; a longer rest without a line break is not ours to remove. */
const LONGEST_LINE = 1024 * 1024;

async function countTornBytes(path: string): Promise<number> {
  const text = await readEnd(path, LONGEST_LINE);
  return text.length - (text.lastIndexOf(0x0a) + 1);
}
