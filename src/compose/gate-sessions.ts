/** Keeps sessions for a gate in a process of its own: it reports to the line over HTTP. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { createSessionCounts } from '../gate/gate-metrics.ts';
import { createLineClient } from '../gate/lookups/line-client.ts';
import { reportToLine } from '../gate/sessions/report-to-line.ts';
import { SessionKeeper } from '../gate/sessions/session-keeper.ts';
import type { Clock } from '../platform/clock.ts';
import { findServiceKey } from './gate-service-key.ts';

export interface GateSessionsOptions {
  config: Pick<Config, 'gate' | 'secrets' | 'accounts'>;
  registry: Registry;
  clock: Clock;
  log: Logger;
}

/** undefined: there is no line to report to, or no key that the line accepts. */
export function createGateSessions({ config, registry, clock, log }: GateSessionsOptions): SessionKeeper | undefined {
  const { lineUrl } = config.gate;
  const serviceKey = findServiceKey(config.secrets);
  if (lineUrl === undefined || serviceKey === undefined) return undefined;
  return new SessionKeeper({
    report: reportToLine(createLineClient({ lineUrl, serviceKey })),
    now: () => clock.now(),
    counts: createSessionCounts(registry),
    readableCookie: config.accounts.entryCookieReadable,
    onAway(error) {
      if (error === undefined) log.info('sessions: the line can be reached again');
      else
        log.warn({ err: error }, 'sessions: the line cannot be told who is here; tokens are good for their own time');
    },
  });
}
