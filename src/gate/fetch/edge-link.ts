/**
 * The link of a gate inside an application to its line: failOpen and followHealth of the rooms. Without a timer: requests
 * set it going, at most once per second. Not for edge runtimes, whose many isolates would each have the whole rate.
 */
import { FailOpen } from '../fail-open/fail-open.ts';
import { HealthRecorder } from '../health/health-recorder.ts';
import { fetchGateRooms } from '../lookups/fetch-gate-rooms.ts';
import type { LineClient } from '../lookups/line-client.ts';
import { LineWatch } from '../lookups/line-watch.ts';
import { createReportToLine } from '../report-to-line.ts';
import { createWebOpenPasses } from './web-open-passes.ts';

export interface EdgeLinkOptions {
  client: LineClient;
  /** Fail-open passes are signed with a key derived from the first: the entry secret, or the service key. */
  passSecrets: readonly [string, ...string[]];
  /** The part of every failOpen rate that this process has. */
  share: number;
  now: () => number;
}

export interface EdgeLink {
  touch(): void;
  failOpen: FailOpen;
  health: HealthRecorder;
}

export function openEdgeLink({ client, passSecrets, share, now }: EdgeLinkOptions): EdgeLink {
  const health = new HealthRecorder();
  const watch = new LineWatch({
    fetchRooms: (revision) => fetchGateRooms(client, revision),
    now,
    async onLooked(isReached) {
      failOpen.step();
      if (isReached) await reports.send();
    },
  });
  const gate = `application ${crypto.randomUUID().slice(0, 8)}`;
  const reports = createReportToLine({ client, watch, health, gate, now });
  const failOpen = new FailOpen({
    ...{ watch, share, now, stopwatch: now, passes: createWebOpenPasses(passSecrets) },
    onClosed: (report) => reports.addOutage(report),
  });
  return { touch: () => watch.touch(), failOpen, health };
}
