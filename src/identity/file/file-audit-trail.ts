/** The audit trail of an instance without a database: a chained file per process. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { AuditTrail } from '../audit-trail.ts';
import { inTurn } from '../in-turn.ts';
import { noteEntry } from '../note-entry.ts';
import { AuditFile } from './audit-file.ts';
import { AUDIT_FILE, checkFile, listAuditFiles, readLatest } from './read-audit-files.ts';

export interface FileAuditTrailOptions {
  dataDir: string;
  clock: Clock;
  log: Logger;
}

export function createFileAuditTrail({ dataDir, clock, log }: FileAuditTrailOptions): AuditTrail {
  const file = new AuditFile({ dataDir, log });
  const run = inTurn();
  return {
    write: (entry) => run(() => file.append(noteEntry(entry, clock, log))),
    readLatest: (query) => readLatest(dataDir, query),
    findHead: () => run(() => file.findHead()),
    checkChain: (anchor) =>
      run(async () => {
        // First that of this process, then those of others, which have chains of their own.
        const path = (await file.findFilled()) ?? join(dataDir, AUDIT_FILE);
        const report = await checkFile(path, anchor);
        if (report.outcome === 'broken') return report;
        for (const other of (await listAuditFiles(dataDir)).filter((name) => name !== path)) {
          const found = await checkFile(other);
          if (found.outcome === 'broken') return { ...found, problem: `${other}: ${found.problem}` };
        }
        return report;
      }),
    runOnce: async () => 'done',
    close: () => run(() => file.close()),
  };
}
