/** The port to the audit trail of operator actions. */
import type { ChainHead, ChainReport } from './audit-chain.ts';
import type { AuditEntry, AuditQuery, ChainedEntry } from './audit-entries.ts';

export type { AuditEntry } from './audit-entries.ts';

export interface AuditTrail {
  /** Resolves when the entry is stored. */
  write(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  readLatest(query: AuditQuery): Promise<ChainedEntry[]>;
  /** The last entry of the chain; undefined: there is none yet. */
  findHead(): Promise<ChainHead | undefined>;
  checkChain(anchor?: ChainHead): Promise<ChainReport>;
  /** One pass of background work: stores what could not be stored before. */
  runOnce(): Promise<'done'>;
  close(): Promise<void>;
}
