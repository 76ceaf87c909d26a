/** Dates an audit entry and writes it to the log, which has every entry whatever happens to the store. */
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { AuditEntry, WrittenEntry } from './audit-entries.ts';

export function noteEntry(entry: AuditEntry, clock: Clock, log: Logger): WrittenEntry {
  const written = { at: new Date(clock.now()).toISOString(), ...entry };
  log.info({ audit: written }, `operator: ${entry.action} ${entry.eventId ?? ''}`.trimEnd());
  return written;
}
