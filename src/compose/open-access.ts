/** The live access list of an instance: its store, its copy in memory, staff passes, and the audit of bypasses. */
import type { Logger } from 'pino';
import { AccessList } from '../gate/access/access-list.ts';
import type { AccessStore } from '../gate/access/access-store.ts';
import { BypassLog } from '../gate/access/bypass-log.ts';
import { LiveAccess } from '../gate/access/live-access.ts';
import { EVERYWHERE, type LiveEntry } from '../gate/access/live-entries.ts';
import { createStaffLinks, createStaffPasses, type StaffLinks, type StaffPasses } from '../gate/access/staff-passes.ts';
import { CrawlerVerifier } from '../gate/access/verify-crawlers.ts';
import type { AuditTrail } from '../identity/audit-trail.ts';
import { formatGone } from '../live/hub/frames.ts';
import type { Hub } from '../live/hub/hub.ts';
import type { Clock } from '../platform/clock.ts';
import type { Beginning } from '../platform/concurrency/beginning.ts';
import { createKeyRing, type KeyRing } from '../signing-keys/key-ring.ts';
import type { KindKeys } from '../signing-keys/kind-keys.ts';

export interface Access {
  list: AccessList;
  live: LiveAccess;
  links: StaffLinks;
  passes: StaffPasses;
  crawlers: CrawlerVerifier;
  bypasses: BypassLog;
  /** One pass: follows changes by other processes, and writes due summaries of bypasses. */
  runOnce(): Promise<'done'>;
  close(): Promise<void>;
}

export interface AccessOptions {
  beginning: Beginning;
  stores: { access: AccessStore };
  secrets: { entryToken: KeyRing };
  tokenKeys: { staffPass: KindKeys };
  operatorServices: { operators: { trail: Pick<AuditTrail, 'write'> } };
  clock: Clock;
  log: Logger;
}

export function openAccess({ beginning, stores, operatorServices, clock, log, ...options }: AccessOptions): Access {
  const { access: store } = stores;
  const { trail } = operatorServices.operators;
  const { entryToken: secrets } = options.secrets;
  const list = new AccessList();
  const writing = new Set<Promise<void>>();
  const bypasses = new BypassLog({
    clock,
    write({ kind, entry, eventId, from, requests, since }) {
      const details = {
        kind,
        entry,
        requests,
        ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
      };
      const about = eventId === undefined ? {} : { eventId };
      const written = trail
        .write({ action: 'bypass', ...about, by: 'unknown', from, traceId: '', details })
        .catch((error) => log.error({ err: error }, 'a bypass could not be written to the audit trail'))
        .finally(() => writing.delete(written));
      writing.add(written);
    },
  });
  // Before the first join: otherwise banned visitors could join for a moment after every restart.
  beginning.add({ name: 'the access list', store: 'line', after: ['line'], run: () => list.refresh(store) });
  return {
    list,
    live: new LiveAccess({ store, list, clock }),
    links: createStaffLinks(createKeyRing('staffLink', secrets), clock),
    passes: createStaffPasses(options.tokenKeys.staffPass, clock),
    crawlers: new CrawlerVerifier({ clock }),
    bypasses,
    async runOnce() {
      bypasses.runOnce();
      return list.refresh(store);
    },
    async close() {
      bypasses.flush();
      await Promise.all(writing);
    },
  };
}

/** Ends the streams of visitors whom an operator ejected or banned, and forgets what this process knew of their places. */
export function endPlaces(
  added: readonly LiveEntry[],
  {
    hub,
    forgetPlace,
  }: { hub: Pick<Hub, 'find' | 'end' | 'listEvents'>; forgetPlace: (eventId: string, visitor: string) => void },
): void {
  // Bans first: who is banned is ejected too, and is told about the ban.
  for (const group of ['ban', 'eject'] as const) {
    for (const entry of added) {
      if (entry.group !== group || entry.visitor === undefined) continue;
      for (const eventId of entry.eventId === EVERYWHERE ? hub.listEvents() : [entry.eventId]) {
        forgetPlace(eventId, entry.visitor);
        const watcher = hub.find(eventId, entry.visitor);
        if (watcher !== undefined) hub.end(watcher, formatGone(group === 'ban' ? 'banned' : 'removed'), 'gone');
      }
    }
  }
}
