/** Sends the line what a gate saw of the site, and whom it let pass while the line could not be asked. No Node APIs. */
import type { OutageReport } from './fail-open/fail-open.ts';
import type { HealthRecorder } from './health/health-recorder.ts';
import type { LineClient } from './lookups/line-client.ts';
import type { LineWatch } from './lookups/line-watch.ts';

export const GATE_REPORTS_PATH = '/gate/reports';

export interface ReportOptions {
  client: LineClient;
  watch: Pick<LineWatch, 'rooms'>;
  health: Pick<HealthRecorder, 'take'>;
  /** Names this process to operators. */
  gate: string;
  /** The clock of `HealthRecorder.begin`. */
  now: () => number;
}

export interface ReportToLine {
  addOutage(report: OutageReport): void;
  /** Sends what there is. Never throws: reports on health are lost, those on outages are kept. */
  send(): Promise<void>;
}

/** Outages of all rooms until the line is back. */
const MOST_OUTAGES = 100;

export function createReportToLine({ client, watch, health, gate, now }: ReportOptions): ReportToLine {
  let outages: OutageReport[] = [];
  return {
    addOutage(report) {
      outages = [...outages, report].slice(-MOST_OUTAGES);
    },
    async send() {
      const followed = [...watch.rooms()].filter(({ followsHealth }) => followsHealth);
      const seen = health.take(
        followed.map(({ eventId, slowMs = Number.POSITIVE_INFINITY }) => ({ eventId, slowMs })),
        now(),
      );
      if (seen.length === 0 && outages.length === 0) return;
      const sent = outages;
      try {
        await client('POST', GATE_REPORTS_PATH, { gate, health: seen, outages: sent });
        outages = outages.filter((report) => !sent.includes(report));
      } catch {
        // The next look at the line finds out whether it can be asked.
      }
    },
  };
}
