/**
 * The audit trail of an instance with a database: one for all processes. While the database is away, or the embedded one
 * is still opening, entries go to the chained file of this process, so that an operator can pause a room during an outage
 * and it is recorded. The next write, or the next pass, carries them over. An `audit.jsonl` of an older version is carried
 * over in the same way.
 */
import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { isDatabaseAway } from '../../platform/database/database-errors.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { readEntry, type WrittenEntry } from '../audit-entries.ts';
import type { AuditTrail } from '../audit-trail.ts';
import { AuditFile } from '../file/audit-file.ts';
import { checkFile, readLatest, readLines } from '../file/read-audit-files.ts';
import { inTurn } from '../in-turn.ts';
import { noteEntry } from '../note-entry.ts';
import { PostgresAuditStore } from './postgres-audit-store.ts';

export interface DatabaseAuditTrailOptions {
  database: LazyDatabase;
  dataDir: string;
  clock: Clock;
  log: Logger;
}

const BATCH = 500;

export function createDatabaseAuditTrail({ database, dataDir, clock, log }: DatabaseAuditTrailOptions): AuditTrail {
  const store = new PostgresAuditStore(() => database.get());
  const file = new AuditFile({ dataDir, log });
  const run = inTurn();

  async function write(entry: WrittenEntry): Promise<void> {
    if (database.isReady() && (await tryToCarryOver())) {
      try {
        return await store.append(entry);
      } catch (error) {
        log.warn({ err: error }, 'the audit trail in the database cannot be written; the entry is kept in a file');
      }
    }
    await file.append(entry);
  }

  /** False: the database is away, so a write need not be tried. */
  async function tryToCarryOver(): Promise<boolean> {
    try {
      await carryOver();
      return true;
    } catch (error) {
      log.warn({ err: error }, 'the audit file cannot be carried over to the database');
      return !isDatabaseAway(error);
    }
  }

  /** Safe to repeat: entries that are there already are left out. */
  async function carryOver(): Promise<void> {
    const path = await file.findFilled();
    if (path === undefined) return;
    const report = await checkFile(path);
    const name = `audit-carried-over-${new Date(clock.now()).toISOString().replaceAll(':', '-')}.jsonl`;
    const batch: WrittenEntry[] = [];
    let entries = 0;
    for await (const line of readLines(path)) {
      const entry = readEntry(line);
      if (entry === undefined) continue;
      const { seq: _seq, hash: _hash, ...written } = entry;
      batch.push(written);
      entries += 1;
      if (batch.length === BATCH) await store.appendMissing(batch.splice(0));
    }
    await store.appendMissing(batch);
    await store.append({
      at: new Date(clock.now()).toISOString(),
      ...{ action: 'carry over audit file', by: 'system', from: '-', traceId: '-' },
      details: { file: basename(path), keptAs: name, entries, chain: report },
    });
    await file.putAside(name);
  }

  return {
    write: (entry) => {
      const written = noteEntry(entry, clock, log);
      return run(() => write(written));
    },
    async readLatest(query) {
      const kept = await readLatest(dataDir, query);
      if (!database.isReady()) return kept;
      return [...kept, ...(await store.readLatest(query))].slice(0, query.limit);
    },
    findHead: () => store.findHead(),
    checkChain: (anchor) => store.checkChain(anchor),
    async runOnce() {
      if (database.isReady()) await run(carryOver);
      return 'done';
    },
    close: () => run(() => file.close()),
  };
}
