/** The access list of a gate in its own process: fetched from the line once a second, if there is one. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { AccessList } from '../gate/access/access-list.ts';
import { BypassCounts } from '../gate/access/bypass-counts.ts';
import { BypassLog } from '../gate/access/bypass-log.ts';
import { createGateAccess, type GateAccess } from '../gate/access/gate-access.ts';
import { syncWithLine } from '../gate/access/sync-with-line.ts';
import { CrawlerVerifier } from '../gate/access/verify-crawlers.ts';
import type { AccessEntry } from '../gate/decision/access-entries.ts';
import type { GateMetrics } from '../gate/gate-metrics.ts';
import { createLineClient } from '../gate/lookups/line-client.ts';
import { systemClock } from '../platform/clock.ts';
import { type Loop, startLoop } from '../platform/concurrency/loop.ts';
import { findServiceKey } from './gate-service-key.ts';

export interface OpenGateAccess {
  /** For one rules file; all share the live list. */
  of(fixed: readonly AccessEntry[] | undefined): GateAccess;
  close(): Promise<void>;
}

export interface OpenGateAccessOptions {
  config: Pick<Config, 'gate' | 'secrets'>;
  metrics: Pick<GateMetrics, 'countBypass'>;
  log: Logger;
}

/** With half a second that the line itself may take, a change counts within two seconds. */
const SYNC_MS = 1_000;
const SUMMARY_MS = 5_000;

export async function openGateAccess({ config, metrics, log }: OpenGateAccessOptions): Promise<OpenGateAccess> {
  const list = new AccessList();
  const crawlers = new CrawlerVerifier({ clock: systemClock });
  const { note, loop } = await follow(list, config, log);
  return {
    of: (fixed) =>
      createGateAccess({
        list,
        fixed,
        crawlers,
        onBypass(bypass) {
          metrics.countBypass(bypass);
          note(bypass);
        },
      }),
    close: () => loop.stop(),
  };
}

/** Without a line, or without its secret, bypasses are in the log only. */
async function follow(list: AccessList, { gate, secrets }: OpenGateAccessOptions['config'], log: Logger) {
  const serviceKey = findServiceKey(secrets);
  if (gate.lineUrl === undefined || serviceKey === undefined) {
    const bypasses = new BypassLog({
      clock: systemClock,
      write: (bypass) => log.info({ bypass }, 'request passed without tokens'),
    });
    const runOnce = async () => bypasses.runOnce();
    const loop: Loop = startLoop({ name: 'bypasses', intervalMs: SUMMARY_MS, runOnce, log });
    return { note: bypasses.note.bind(bypasses), loop };
  }
  const counts = new BypassCounts();
  const line = createLineClient({ lineUrl: gate.lineUrl, serviceKey });
  const runOnce = () => syncWithLine({ line, list, counts });
  // Before the first request, if the line answers: then bans count from the start.
  await runOnce().catch((error) => log.warn({ err: error }, 'access list: the line does not answer yet; will retry'));
  const loop = startLoop({ name: 'access', intervalMs: SYNC_MS, runOnce, log });
  return { note: counts.add.bind(counts), loop };
}
